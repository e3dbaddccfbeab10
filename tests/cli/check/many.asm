!!ARBfp1.0
MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b;
MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b; MOV a, b;
END
