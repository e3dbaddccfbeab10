#! LOOP: REP.S~40 REP.S
#! SIDE: then else both nested
#! BRK1: BRK BRK~(TR) BRK~(NE.y)
#! in s0=int,0,7,32 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, key, live, now, one, r;
SHL.U at.x, invocation.localindex.x, 2;
LDB.U32 key.x, in[at.x];
MOV.U r, 0;
MOV.U one.x, 1;
LOOP;
TGBALLOT.U live.x, one.x;
BTFL.U live.y, live.x;
SHFIDX.U now.xy, key.x, live.y, 31;
SEQ.U.CC now.z, now.y, key.x;
#! if SIDE==then
IF NE.z;
TGBALLOT.U live.z, one.x;
MAD.U r.x, live.z, 3, r.y;
MOV.U.CC one.y, 1;
BRK1;
ENDIF;
#! end
#! if SIDE==else
IF EQ.z;
ADD.U r.z, r.z, live.x;
ELSE;
TGBALLOT.U live.z, one.x;
MAD.U r.x, live.z, 3, r.y;
MOV.U.CC one.y, 1;
BRK1;
ENDIF;
#! end
#! if SIDE==both
IF EQ.z;
TGBALLOT.U live.z, one.x;
ADD.U r.z, r.z, live.z;
ELSE;
TGBALLOT.U live.z, one.x;
MAD.U r.x, live.z, 3, r.y;
MOV.U.CC one.y, 1;
BRK1;
ENDIF;
#! end
#! if SIDE==nested
IF NE.z;
SGT.U.CC now.w, invocation.threadid.x, 9;
IF NE.w;
TGBALLOT.U live.z, one.x;
ADD.U r.z, live.z, 1;
ELSE;
TGBALLOT.U live.z, one.x;
MAD.U r.x, live.z, 3, r.y;
ENDIF;
MOV.U.CC one.y, 1;
BRK1;
ENDIF;
#! end
ADD.U r.y, r.y, 1;
ENDREP;
TGBALLOT.U live.z, one.x;
XOR.U r.x, r.x, r.z;
MAD.U r.x, r.x, 5, live.z;
STB.U32 r.x, out[at.x];
END
