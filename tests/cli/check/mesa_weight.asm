!!ARBvp1.0
MOV result.position, vertex.weight;
END
