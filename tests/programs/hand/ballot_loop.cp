#! COUNT: low high data
#! KIND: TGBALLOT.U TGBALLOT.S
#! STEP: 1 3
#! in s0=word,32 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, n, sum, mask, one;
SHL.U at.x, invocation.localindex.x, 2;
LDB.U32 n.x, in[at.x];
#! if COUNT==low
AND.U n.y, invocation.threadid.x, 7;
#! end
#! if COUNT==high
SHR.U n.y, invocation.threadid.x, 2;
#! end
#! if COUNT==data
AND.U n.y, n.x, 15;
#! end
MOV.U sum.x, 0;
MOV.U one.x, STEP;
REP.S;
SEQ.U.CC one.y, n.y, 0;
BRK (NE.y);
KIND mask.x, one.x;
MAD.U sum.x, sum.x, 3, mask.x;
SUB.U n.y, n.y, 1;
ENDREP;
STB.U32 sum.x, out[at.x];
END
