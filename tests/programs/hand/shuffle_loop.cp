#! OP: SHFUP SHFDOWN SHFXOR SHFIDX
#! CLAMP: 31 0x1f 0x181f 15
#! JOIN: ADD.U XOR.U MAX.U
#! in s0=int,0,99,32 s1=zero,64
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_shuffle;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, v, got, d;
SHL.U at.x, invocation.localindex.x, 2;
LDB.U32 v.x, in[at.x];
MOV.U d.x, 1;
REP 4;
OP.U got.xy, v.x, d.x, CLAMP;
MOV.U.CC got.z, got.x;
IF NE.z;
JOIN v.x, v.x, got.y;
ENDIF;
SHL.U d.x, d.x, 1;
ENDREP;
SHL.U at.y, at.x, 1;
STB.U32 v.x, out[at.y];
ADD.U at.y, at.y, 4;
STB.U32 got.x, out[at.y];
END
