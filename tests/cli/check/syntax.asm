!!NVcp5.0
GROUP_SIZE 32;
TEMP a, b, c;
ADD a, b;
ADD a, b, c, a;
ADD a b, c;
MOV a, {1, 2;
MOV a, |b;
MOV a, b[;
MOV a, ;
MOV ;
MOV a, 1.0f;
BRK NE.x;
TEMP d e;
= a;
MOV a, b
END
