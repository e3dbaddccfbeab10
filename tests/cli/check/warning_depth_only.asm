!!ARBfp1.0
MOV result.depth.z, fragment.texcoord.x;
END
