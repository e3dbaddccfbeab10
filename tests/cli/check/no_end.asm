!!ARBfp1.0
TEMP a;
