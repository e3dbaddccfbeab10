!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP a, b, c;
ADD.U.F a, b, c;
ADD.U16 a, b, c;
AND.SAT a, b, c;
ADD.U.SAT a, b, c;
ADD.ROUND a, b, c;
ADD.HI a, b, c;
MUL.HI a, b, c;
MUL.U.S24 a, b, c;
ADD.COH a, b, c;
ADD.STA a, b, c;
LDB a, s[0];
LDB.F16 a, s[0];
LDB.U a, s[0];
STB.U32.CC a, s[0];
ATOMB.U32 a, b, s[0];
ATOMB.ADD.F32 a, b, s[0];
CVT.U32 a, b;
CVT.U32.F32.S32 a, b;
CVT.S32.F32 a, -b;
IF.U NE.x;
ENDIF;
END
