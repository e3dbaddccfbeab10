#! DEPTH: 1 2
#! COND: NE LT
#! WORK: MUL.S~r.x,r.x,3 SHL.U~r.x,r.x,2 MAX.S~r.x,r.x,5
#! in s0=int,-20,20,32 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, r;
BB1:
WORK;
#! if DEPTH==2
CAL BB2 (TR);
#! end
ADD.S.CC r.z, r.x, -4;
RET (LT.z);
SUB.S r.x, r.x, 1;
RET;
BB2:
ADD.S r.x, r.x, r.y;
RET;
main:
SHL.U at.x, invocation.localindex.x, 2;
LDB.S32 r.x, in[at.x];
MOV.S r.y, invocation.localindex.x;
MOV.S.CC r.z, r.x;
CAL BB1 (COND.z);
STB.S32 r.x, out[at.x];
END
