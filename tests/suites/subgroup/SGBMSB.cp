!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
OPTION NV_gpu_program_fp64;

GROUP_SIZE 48;
TEMP sg_value;
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
LDB.U32 a.x, words[i.y];
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
SLT.U c.y, a.y, 16;
# SGBALLOT.U p, c.y
TGBALLOT.U sg_value.x, c.y;
MOV.U sg_value.y, 0;
MOV.U sg_value.z, 0;
MOV.U sg_value.w, 0;
MOV.U p.xyzw, sg_value;
# SGBMSB.U r.x, p
BTFM.U r.x, p.x;
ENDIF;
ENDIF;
STB.U32X2 r, results[i.z];
END
