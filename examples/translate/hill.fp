!!ARBfp1.0
# Its ground: a texture, stretched by the application, tinted, and lost in the fog.
OPTION ARB_fog_linear;
PARAM stretch = program.env[0];
PARAM tint = program.local[1];
TEMP at, ground;
MUL at, fragment.texcoord[0], stretch;
TEX ground, at, texture[0], 2D;
LRP ground, tint.w, tint, ground;
MUL result.color, ground, fragment.color;
END
