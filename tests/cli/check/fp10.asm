!!FP1.0
# The first header of fragment programs (NV_fragment_program 3.11; so by NVIDIA 580.159.04)
DEFINE pi = 3.14159;
DECLARE scale = {1, 2, 3, 4};
DECLARE bias;
DECLARE bias;
DEFINE two = pi;
MOVH H63, f[TEX0];
MOV H64, f[TEX8];
MUL R0, scale, f[COL0];
ADD R0, scale, bias;
ADD R0, f[TEX0], f[TEX1];
SINR R0, pi;
SINR R0, pi.x;
TEX R0, f[TEX0], TEX16, 2D;
TEXC R1, f[TEX0], TEX0, 2D;
KIL R0;
KIL LT.x;
MOVC RC.x, R0;
MOV CC, R0;
MOVC0 R0, R0;
MOV o[COLR], R0;
END
