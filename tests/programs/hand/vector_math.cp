#! A: MAD.F MUL.F ADD.F DP4.F DP3.F
#! SW: a a.wzyx a.xxyy
#! SIGN: b -b |b|
#! in s0=float,-2,2,128 s1=float,-2,2,128 s2=zero,128
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE first[] = { program.storage[0] };
STORAGE second[] = { program.storage[1] };
STORAGE out[] = { program.storage[2] };
PARAM k = { 0.5, -1.0, 2.0, 0.25 };
TEMP at, a, b, r;
SHL.U at.x, invocation.globalid.x, 4;
LDB.F32X4 a, first[at.x];
LDB.F32X4 b, second[at.x];
#! if A==MAD.F
MAD.F r, SW, SIGN, k;
#! end
#! if A!=MAD.F
A r, SW, SIGN;
#! end
MUL.F a, r, k.w;
ADD.F r, a, b;
STB.F32X4 r, out[at.x];
END
