!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE seen[] = { program.storage[1] };
TEMP h, n;
MUL.U n, invocation.globalid.x, 16;
MOV.U h, 0;
CAL a;
STB.U32X4 h, seen[n.x];
a:
ADD.U h.x, h.x, 1;
STB.U32X4 h, seen[n.x];
END
