!!NVcp5.0
// a comment of C stands before an option
OPTION NV_shader_storage_buffer
GROUP_SIZE 32
STORAGE s[] = { program.storage[0] }
TEMP a, b
MOV.U a, 0;     // behind a statement
MOV.U b, {1, 2,
3, 4};          # a statement of two lines
ADD.U a, a, b   # its semicolon is missing
IF NE.x
MUL.U a, a
ELSE
MOV.U a, MOV
ENDIF
STB.U32 a.x, s[0]
END
