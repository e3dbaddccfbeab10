!!NVcp5.0
OPTION NV_internal;
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE b[] = { program.storage[0] };
TEMP at, v, r;
MUL.U at, invocation.localindex.x, 16;
AND.U v, invocation.localindex.x, 3;
MATCH.ANY.U r, v.x;
MATCH.ALL.U v.x, v.x;
MATCH.ANY.U v.y, v.y;
MOV.U r.z, v.x;
MOV.U r.w, v.y;
STB.U32X4 r, b[at.x];
END
