!!NVcp5.0
GROUP_SIZE 32;
TEMP a;
ELSE;
ENDIF;
ENDREP;
BRK (NE.x);
CONT;
IF NE.x;
ELSE;
ELSE;
inside:
ENDREP;
ENDIF;
REP;
MOV a, a;
ENDREP;
CAL nowhere;
again:
again:
REP 4;
IF NE.x;
END
