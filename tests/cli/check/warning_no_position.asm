!!ARBvp1.0
MOV result.color, vertex.color;
END
