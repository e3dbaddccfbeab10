!!NVcp5.0
TEMP a;
OPTION NV_internal;
GROUP_SIZE 32;
SHARED_MEMORY 64;
KIL a;
OUTPUT o = result.color;
PARAM p[3] = { 1, 2 };
PARAM q = program.local[0..1];
PARAM r[] = program.local[0];
PARAM s = {1, {2}, 3};
SHORT LONG TEMP t;
END
MOV a, a;
