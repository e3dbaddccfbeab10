!!NVcp5.0
GROUP_SIZE 32;
INT TEMP I;
FLOAT TEMP F;
SHORT PARAM q = program.local[0];
TEMP R0, R1;
CBUFFER cb[] = { program.buffer[0] };
MOVC0_SAT R0, R1;
MULRC R0, R1, R1;
ANDR R0, R1, R1;
ADDC.CC R0, R1, R1;
ADD F, I, R1;
AND R0, R1, {1, 2.5, 0, 0};
MOV R0, cb[0];
TXB R0, R1, texture[0], SHADOWCUBE;
TXP R0, R1, texture[0], 2DMS;
TEX.LODCLAMP R0, R1, texture[0], 2D;
TEX R0, R1, texture[0].y, 2D;
ATOM.MIN.F32 R0.x, R1, R1.x;
MOV R0, program.local[512];
END
