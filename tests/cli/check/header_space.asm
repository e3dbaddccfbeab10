
!!ARBfp1.0
END
