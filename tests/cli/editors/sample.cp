!!NVcp5.0
# TODO: a comment, MOV
OPTION NV_shader_storage_buffer;
GROUP_SIZE 0x20;
STORAGE s[] = { program.storage[0] };
LONG TEMP d; TEMP a, b;
MUL.S24.CC a.xyz, invocation.localid, {1.5, .5, 2e-3};
IF NE1.x;
TEX.F b, a, texture[3], SHADOW2D;
ENDIF;
MULH_SAT a, b, state.matrix.nonsense;
MOVE a, b.rgba;
f: RET (TR);
STB.U32X4 a, s[a.x + 4];
END
