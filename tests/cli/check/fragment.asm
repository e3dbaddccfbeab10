!!ARBfp1.0
OPTION NV_fragment_programs;
TEMP a, MOV;
PARAM c[2] = { program.env[255..256] };
ATTRIB t = fragment.texcoord[9];
MOV.U a, a;
ADD_SAT a.xg, a, a;
ADD_SAT a.xy, a, 0x10;
KIL_SAT a;
TEX a, a, texture[0], 2D;
TEX a, a, texture[0], CUBE;
TEX a, a, texture[1], SHADOW2D;
TEX a, a, texture[1];
TEX a, a, 2D;
MOV result.color[1], a;
MOV result.colour, a;
SWZ a, -a, x, y, z, w;
SWZ a, a, x, g, 0, 1;
SWZ a, a, x, y, z, 2;
MOV a, c[a.x];
RCP a, 2.0;
IF NE.x;
LDB a, a;
END
