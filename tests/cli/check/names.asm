!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_gruop;
GROUP_SIZE 32;
STORAGE inb[] = { program.storage[0] };
TEMP sum, index, sum;
TEMP result;
MOV.U sun, 0;
MOV.U sum, indx;
LDB.U32 sum.x, inb[indexx.x];
LDB.U32 sum.x, sum;
MOV.U sum, inb[0];
MOV.U inb[0], sum;
MOV.U sum, invocation.globalidx.x;
MOV.U sum, invocation.threadid.x;
MOV.U sum, state.lightmodel.ambiant;
MOV.U sum, program.locl[0];
MUV sum, index;
SHFUP.U sum, index, 1, 31;
END
