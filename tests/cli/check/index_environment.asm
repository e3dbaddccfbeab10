!!ARBvp1.0
ADDRESS A0;
ARL A0.x, vertex.attrib[1].x;
MOV result.color, program.env[A0.x];
END
