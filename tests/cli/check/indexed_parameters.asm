!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE out[] = { program.storage[0] };
# matrix rows and parameters stand in two arrays each; what is indexed by numbers alone, and constants, may
PARAM rows[] = { state.matrix.mvp, program.env[2] };
PARAM row[] = { state.matrix.mvp.row[2] };
PARAM given[] = { program.local[0..3], {1, 2, 3, 4} };
PARAM fixed[] = { program.local[1], program.env[2], {1, 2, 3, 4} };
TEMP R, A;
MOV.U A.x, invocation.localindex.x;
MOV.U R, rows[A.x];
ADD.U R, R, given[A.x];
ADD.U R, R, fixed[1];
STB.U32X4 R, out[A.x];
RET;
never:
MOV.U R, row[A.x];
RET;
END
