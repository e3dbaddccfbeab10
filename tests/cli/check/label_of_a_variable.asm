!!ARBvp1.0
OPTION NV_vertex_program2;
TEMP label1;
MOV label1, vertex.color;
MOV result.position, label1;
label1: MOVC result.color, vertex.position;
BRA label1 (EQ.xyzw);
BRA nowhere;
label1: MOV result.color, label1;
END
