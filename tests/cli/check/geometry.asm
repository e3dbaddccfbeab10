!!NVgp5.0
PRIMITIVE_IN TRIANGLES;
PRIMITIVE_IN LINES;
PRIMITIVE_OUT TRIANGLE_STRIPS;
VERTICES_OUT 1025;
INVOCATIONS 33;
ATTRIB p = vertex.position;
ATTRIB a[] = { vertex.attrib[0..3] };
ATTRIB b[] = { vertex.position };
TEMP R0, R1;
MOV R0, vertex[3].position;
MOV R0, vertex.position;
MOV R0, p;
MOV R0, p[3];
MOV R0, a[R1.x][4];
MOV R0, a[0];
MOV result.texcoord[8], R0;
LOD R0, R1, texture[0], 2D;
EMITS R0;
EMIT;
ENDPRIM;
END
