!!ARBfp1.0
TEMP a;
MOV fragment.color, a;
MOV a, result.color;
MOV result.color, a;
END
