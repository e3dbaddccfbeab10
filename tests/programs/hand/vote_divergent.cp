#! VOTE: TGALL.U TGANY.U TGEQ.U
#! SPLIT: 8 20
#! in s0=int,0,1,32 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, v, r;
SHL.U at.x, invocation.localindex.x, 2;
LDB.U32 v.x, in[at.x];
SLT.U.CC v.y, invocation.threadid.x, SPLIT;
IF NE.y;
VOTE r.x, v.x;
AND.U r.x, r.x, 1;
ELSE;
XOR.U v.x, v.x, 1;
VOTE r.x, v.x;
AND.U r.x, r.x, 2;
ENDIF;
VOTE r.y, v.x;
AND.U r.y, r.y, 4;
OR.U r.x, r.x, r.y;
STB.U32 r.x, out[at.x];
END
