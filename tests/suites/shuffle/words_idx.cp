!!NVcp5.0
# SHFIDX with a value, an index word and a mask word of its own for every lane.
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 64;
STORAGE words[] = { program.storage[0] };
STORAGE results[] = { program.storage[1] };
TEMP at, word, shuffled;
MUL.U at.x, invocation.globalid.x, 12;
SHL.U at.y, invocation.globalid.x, 3;
LDB.U32 word.x, words[at.x];
LDB.U32 word.y, words[at.x + 4];
LDB.U32 word.z, words[at.x + 8];
SHFIDX.U shuffled, word.x, word.y, word.z;
STB.U32X2 shuffled, results[at.y];
END
