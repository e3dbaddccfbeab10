!!NVfp4.0
TEMP a;
MOV fragment.color, a;
MOV a, result.color;
MOV program.env[0], a;
MOV result.color, a;
END
