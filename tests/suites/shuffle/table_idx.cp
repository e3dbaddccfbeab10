!!NVcp5.0
# SHFIDX on the lane's number plus 100, with an index and a mask for every warp from a table.
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 64;
STORAGE table[] = { program.storage[0] };
STORAGE results[] = { program.storage[1] };
TEMP at, word, value, shuffled;
SHR.U at.x, invocation.globalid.x, 5;
SHL.U at.x, at.x, 3;
SHL.U at.y, invocation.globalid.x, 3;
LDB.U32 word.x, table[at.x];
LDB.U32 word.y, table[at.x + 4];
ADD.U value.x, invocation.threadid.x, 100;
SHFIDX.U shuffled, value.x, word.x, word.y;
STB.U32X2 shuffled, results[at.y];
END
