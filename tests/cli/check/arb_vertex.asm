!!ARBvp1.0
# ARB_vertex_program and what it lacks (ARB_vertex_program 2.14.2 and 2.14.5; refused like this by NVIDIA 580.159.04)
OPTION ARB_position_invariant;
OPTION ARB_fog_exp;
ADDRESS A0;
TEMP R0, m[4];
PARAM P[8] = { program.local[0..7] };
PARAM f[] = { state.light[0..7].diffuse };
ATTRIB a = vertex.attrib[16];
ARL A0, R0.x;
ARL R0.x, R0.x;
MOV A0.x, R0;
MOV R0, A0.x;
MOV R0, P[A0.y];
MOV R0, P[R0.x];
MOV R0, P[A0.x + 256];
MOV R0, P[8];
MOV R0.rg, R0;
MOV R0, |R0|;
MOV R0 (NE.x), R0;
MOV_SAT R0, R0;
MOVC R0, R0;
EX2 R0, 1.0;
CMP R0, R0, R0, R0;
MOV result.position, R0;
MOV result.color[0], R0;
L: MOV R0, R0;
END
