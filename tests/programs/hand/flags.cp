#! OP: ADD.S.CC SUB.S.CC AND.U.CC XOR.U.CC SHL.U.CC
#! TEST: NE EQ LT GE
#! USE: IF mask
#! in s0=int,-9,9,64 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, v, r;
SHL.U at.x, invocation.localindex.x, 3;
LDB.U32X2 v.xy, in[at.x];
MOV.S r.x, 100;
OP v.z, v.x, v.y;
#! if USE==IF
IF TEST.z;
MOV.S r.x, v.z;
ELSE;
MAD.S r.x, v.x, 10, v.y;
ENDIF;
#! end
#! if USE==mask
MOV.S r.x (TEST.z), v.z;
ADD.S r.x, r.x, 1;
#! end
SHR.U at.x, at.x, 1;
STB.U32 r.x, out[at.x];
END
