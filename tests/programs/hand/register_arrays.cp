#! N: 4 6
#! I: v.x v.y
#! T: U F
#! in s0=int,0,3,64 s1=zero,32
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE in[] = { program.storage[0] };
STORAGE out[] = { program.storage[1] };
TEMP at, v, r;
TEMP table[N];
SHL.U at.x, invocation.localindex.x, 3;
LDB.U32X2 v.xy, in[at.x];
MOV.T table[0], {1, 2, 3, 4};
MOV.T table[1], {5, 6, 7, 8};
MOV.T table[2], {9, 10, 11, 12};
MOV.T table[3], {13, 14, 15, 16};
ADD.T table[I].y, table[I].x, table[2].z;
MOV.U r.x, table[v.y].y;
ADD.T r.x, r.x, table[v.x].w;
SHR.U at.x, at.x, 1;
STB.U32 r.x, out[at.x];
END
