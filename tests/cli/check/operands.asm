!!NVcp5.0
GROUP_SIZE 32;
TEMP a, b, c, m[4];
PARAM p[2] = { program.local[0..1] };
MOV a.yx, b;
MOV a.xq, b;
MOV a, b.xy;
MOV a, b.rgba;
RCP a, b;
RCP a, b.xy;
SHL.U a, b, c;
MOV a, m;
MOV a, b[0];
MOV a, m[4];
MOV a, m[b];
MOV a, m[b.xy];
MOV a, p[a.x + 1];
MOV p[0], a;
MOV a (NEQ.x), b;
MOV a (NE.xy), b;
MOV a, {1, 2, 3, 4, 5};
MOV a, 99999999999999999999;
END
