#! SPLIT: 0.25 0.6
#! KILL: 0 1
#! TRIPS: 2 5
#! in px=8,4 x0=float,-1,1 x1=float,-1,1 v0=float,0,1 l0=float,0,1,16
!!NVfp4.0
PARAM p[2] = { program.local[0..1] };
TEMP n, r, t;
INT TEMP i;
NRM n.xyz, fragment.texcoord[0];
DP3.SAT t.x, n, p[0];
SGT.CC t.y, t.x, SPLIT;
IF NE.y;
POW t.z, t.x, p[1].x;
MAD r, fragment.color, t.z, p[0];
ELSE;
MUL r, fragment.color, t.x;
ENDIF;
MOV.S i.x, 0;
REP TRIPS;
MAD r.xyz, r, 0.5, fragment.texcoord[1];
ADD.S i.x, i.x, 1;
SGE.S.CC i.y, i.x, 3;
BRK (NE.y);
ENDREP;
#! if KILL==1
SUB t, r, SPLIT;
KIL t.x;
#! end
MOV result.color, r;
END
