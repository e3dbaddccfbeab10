!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 1;
STORAGE s[] = { program.storage[0] };
TEMP a, b, c, d;
LDB.U32X4 a, s[0];          # a: 4
LDB.U32X4 b, s[16];         # a and b: 8
MOV.U c.x, 0;               # 9
REP.U a.x;                  # a.x is done; a.yzw b c.x: 8
    ADD.U d.xy, a.yzzz, b;  # 8; behind it a.yzw b.zw c.x d.xy: 8
    ADD.U c.x, c.x, d.x;    # 8
    ADD.U c.x, c.x, d.y;    # 7
    MOV.U b.xy, c.x;
    ADD.U c.x, c.x, a.w;
ENDREP;
STB.U32 c.x, s[0];
STB.U32X4 b, s[16];
END
