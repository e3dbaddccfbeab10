!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
OPTION NV_gpu_program_fp64;
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP a, b, c, d, e, round, called, whole;
TEMP unused1, unused2, unused3, unused4, unused5, array[4];
PARAM p = program.local[0];
ATTRIB i = invocation.localid;
CAL f;
MOV.U a.x, i;
ADD.U a.y, a.x, b.x;     # b: nothing writes it
MOV.U c.xy, a;
ADD.U c.z, c.w, c.y;     # c.w: later
MOV.U c.w, called;       # the subroutine writes it
MOV.U d, 1;              # nobody reads it
SEQ.U.CC e.x, a.x, 1;    # nor this, but the test is wanted
IF NE.x;
MOV.U a.z, array[a.x];   # not known
ENDIF;
REP 4;
ADD.U a.w, round.x, 1;   # the second time round it is there
MOV.U round.x, a.w;
ENDREP;
DP3 whole.x, whole, whole;      # only x y z count
MOV.U array[1], 1;
STB.U32X4 c, s[0];
RET;
f: MOV.U called, 1;
RET;
nowhere: RET;
END
