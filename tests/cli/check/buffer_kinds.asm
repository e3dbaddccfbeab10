!!NVcp5.0
GROUP_SIZE 1;
# Measured: a buffer is one of words or one of vectors; a CBUFFER may be either beside it.
CBUFFER c[] = { program.buffer[0] };
BUFFER4 a[] = { program.buffer[0] };
BUFFER d[] = { program.buffer[1] };
BUFFER b[] = { program.buffer[0] };
TEMP R;
MOV.U R, a[1];
END
