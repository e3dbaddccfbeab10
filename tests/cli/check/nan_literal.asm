!!NVfp5.0
MOV.F result.color, {0.707106769, NAN, NAN, 1};
END
