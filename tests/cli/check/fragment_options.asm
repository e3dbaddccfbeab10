!!ARBfp1.0
# NV_fragment_program2 (its specification 3.11; so by NVIDIA 580.159.04)
OPTION NV_fragment_program2;
TEMP R0;
SHORT TEMP H;
SHORT PARAM q = 1;
PARAM k = 4;
MOVHC_SAT H, R0;
MOVC0 R0, R0;
MOVXC RC, R0;
KIL LE.x;
KIL EQ1.x;
REP k; MOV R0, R0; ENDREP;
REP k.x; ENDREP;
REP R0.x; ENDREP;
LOOP {8, 0, 1}; MOV R0, fragment.texcoord[A0.x + 1]; BRK (EQ.x); ENDLOOP;
LOOP k; IF NE.x; ENDLOOP;
MOV R0, A0;
BRK;
SWZ R0, R0, x, g, 0, -1;
TXL R0, R0, texture[0], SHADOW2D;
ENDIF;
END
