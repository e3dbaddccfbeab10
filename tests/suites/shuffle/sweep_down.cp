!!NVcp5.0
# SHFDOWN in uniform warps: warp w takes clamp w & 31, segment w >> 5 & 31 and index w >> 10.
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 64;
STORAGE values[] = { program.storage[0] };
STORAGE results[] = { program.storage[1] };
TEMP at, warp, mask, index, value, shuffled;
SHR.U warp.x, invocation.globalid.x, 5;
AND.U mask.x, warp.x, 31;
SHR.U mask.y, warp.x, 5;
AND.U mask.y, mask.y, 31;
SHL.U mask.y, mask.y, 8;
OR.U mask.x, mask.x, mask.y;
SHR.U index.x, warp.x, 10;
SHL.U at.x, invocation.globalid.x, 2;
SHL.U at.y, invocation.globalid.x, 3;
LDB.U32 value.x, values[at.x];
SHFDOWN.U shuffled, value.x, index.x, mask.x;
STB.U32X2 shuffled, results[at.y];
END
