!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
OPTION NV_gpu_program_fp64;

GROUP_SIZE 48;
TEMP sg_lanes, sg_moved;
STORAGE words[] = { program.storage[0] };
STORAGE floats[] = { program.storage[1] };
STORAGE doubles[] = { program.storage[2] };
STORAGE indices[] = { program.storage[3] };
STORAGE ways[] = { program.storage[4] };
STORAGE results[] = { program.storage[5] };
TEMP a, i, p, r, c;
LONG TEMP d, e;
MAD.U i.x, invocation.groupid.x, 48, invocation.localindex.x;
SHL.U i.y, i.x, 2;
SHL.U i.z, i.x, 3;
LDB.F32 a.x, floats[i.y];
LDB.U32 a.y, indices[i.y];
LDB.U32 a.z, ways[i.y];
SGE.U c.x, invocation.groupid.x, 2;
AND.U a.z, a.z, c.x;
MOV.U r, {0, 0, 0, 0};
MOV.U64 e.x, 0;
SLT.U.CC c.x, a.z, 2;
IF NE.x;
SEQ.U.CC c.x, a.z, 0;
IF NE.x;
# SGEQ.F r.x, a.x
TGBALLOT.U sg_lanes.x, 1;
BTFL.U sg_lanes.y, sg_lanes.x;
SHFIDX.U sg_moved.y, a.x, sg_lanes.y, 31;
SEQ.F sg_lanes.z, a.x, sg_moved.y;
TGALL.F r.x, sg_lanes.z;
# SGPART.F r.y, a.x
MOV.U r.y, 0;
ENDIF;
ENDIF;
STB.U32X2 r, results[i.z];
END
