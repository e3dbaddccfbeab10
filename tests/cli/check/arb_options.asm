!!ARBvp1.0
# NV_vertex_program2 beside the rest (NV_vertex_program2_option, NV_vertex_program3; so by NVIDIA 580.159.04)
OPTION NV_vertex_program2;
OPTION NV_vertex_program3;
ADDRESS A0, A1;
TEMP R0;
PARAM P[8] = { program.local[0..7] };
MOVC R0, |R0|;
MOVC CC, R0;
MOV R0 (NE1.x), R0;
MOV R0 (LEG.x), R0;
MOVC0 R0, R0;
ARL A0.xy, R0;
ARA A0, A1.x;
ARA A0, R0;
PUSHA A0;
TEX R0, R0, texture[0], 2D;
BRA end (GT.w);
BRA nowhere;
end: RET;
END
