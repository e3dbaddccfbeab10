!!ARBfp1.0
OUTPUT color = result.color;
OUTPUT depth = result.depth;
TEMP a, b;
MOV a.xy, fragment.color;
MOV a.zw, a.y;
ADD a, a, b;
MUL a.x, a, b.y;
MOV result.color, a;
END
