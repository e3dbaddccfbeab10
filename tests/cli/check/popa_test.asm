!!ARBvp1.0
OPTION NV_vertex_program3;
ADDRESS a0;
ARL a0, vertex.color;
PUSHA a0;
POPA a0 (EQ.xxxx);
MOV result.position, vertex.position;
END
