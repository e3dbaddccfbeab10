!!ARBfp1.0
OUTPUT color = result.color;
OUTPUT depth = result.depth;
TEMP a;
MOV a.xy, fragment.color;
MOV a.zw, a.y;
MOV color, a;
END
