!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_internal;
OPTION NV_derivative_group_quads;
GROUP_SIZE 8 8;
STORAGE out[] = { program.storage[0] };
TEMP R0, R1;
MOV.F R0, 0.5;
DDX.F R1, R0;
TEX.F R0, R1, texture[0], 2D;
STB.F32 R0, out[0];
END
