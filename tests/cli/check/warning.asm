!!ARBfp1.0
TEMP a, b, unused;
ALIAS c = unused;
PARAM p = program.local[0];
ADD a, a, b.wzyx;
MOV result.color, a;
END
