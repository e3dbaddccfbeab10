!!ARBfp1.0
MUL result.color, fragment.texcoord[4294967297], program.local[4294967299];
END
