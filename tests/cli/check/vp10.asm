!!VP1.0
# The first header (NV_vertex_program 2.14.1; so by NVIDIA 580.159.04)
MOV R11, v[OPOS];
MOV R12, v[7];
MOV R0, v[HPOS];
MOV R0, o[HPOS];
MOV o[CLP0], R0;
MOV R0, c[96];
MOV R0, c[A0.x + 64];
MOV R0, c[A0.y];
ARL A0, R0.x;
ADD R0, c[0], c[1];
ADD R0, v[0], v[NRML];
ADD R0, c[0], c[0];
MAD o[COL0].xyz, R0, c[0], -c[0];
SUB R0, R0, R1;
MOVC R0, R1;
MOV R0, +R1;
MOV R0, program.env[0];
TEMP R1;
END
