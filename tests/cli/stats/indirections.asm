!!ARBfp1.0
TEMP color, at, other;
PARAM scale = program.env[0];
MUL at, fragment.texcoord[0], scale;
TEX color, at, texture[0], 2D;
TEX other, fragment.texcoord[1], texture[1], 2D;
TXP other, color, texture[0], 2D;
ADD color, color, other;
TXB color, fragment.texcoord[1], texture[2], CUBE;
KIL color;
MUL result.color, color, {0.5, 0.5, 0.5, 1};
END
