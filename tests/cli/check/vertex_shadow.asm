!!ARBvp1.0
OPTION NV_vertex_program3;
OPTION ARB_fragment_program_shadow;
MOV result.position, vertex.position;
TEX result.color, vertex.texcoord, texture[0], SHADOW2D;
END
