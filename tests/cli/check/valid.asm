!!NVcp5.0
OPTION NV_internal;
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP R0;
MOV.U R0, -|invocation.localid|;
STB.U32X4 R0, s[0];
END
