!!NVgp4.0
PRIMITIVE_IN TRIANGLES;
PRIMITIVE_OUT POINTS;
VERTICES_OUT 3;
INT TEMP i;
MOV.S i, 1;
MOV result.position, vertex[i.x].position;
MOV result.color, program.env[i.x];
EMIT;
END
