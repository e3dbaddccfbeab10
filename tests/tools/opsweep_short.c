/* SHORT variables and half arithmetic: what each kind of instruction leaves in a SHORT variable, as each kind finds it
 * there; over flow, masks and arrays; clamps; products and copies. */
#include "tests/tools/opsweep_text.h"

#include <stdio.h>
#include <string.h>

enum { LANES = 128 };

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Of floats, with operands that are. */
static const char *const writes[] = {
    "MOV.F h, a;", "MOV.F h, -a;", "MOV.F h, |a|;", "MOV.F.SAT h, a;", "MOV.F.SSAT h, a;", "ABS.F h, a;",
    "CVT.F16.F32 h, a;",
    "CVT.F32.F16 h, a;", "CVT.F32.F32 h, a;", "CVT.F16.F32.SAT h, a;", "CVT.F32.U32 h, a;", "CVT.F16.S32 h, a;",
    "I2F.S h, a;", "I2F.U h, a;",
    "UP2H.F h, a.x;", "PK2H.F h, a;", "UP4UB.F h, a.x;", "PK4B.F h, a;", "LDB.F32 h.x, inb[i.x];",
    "LDB.F16 h.x, inb[i.x];", "LDB.U32X4 h, inb[i.x];",
    "LDB.U16 h.x, inb[i.x];", "ADD.F h, a, b;", "SUB.F h, a, b;", "MUL.F h, a, b;", "MAD.F h, a, b, c;",
    "MIN.F h, a, b;", "MAX.F h, a, b;",
    "MAX.F h, a, a;", "MIN.F h, a, 1.0;", "ADD.F.SAT h, a, b;", "ADD.F h, a, 0.0;", "MUL.F h, a, 1.0;",
    "MUL.F h, a, -1.0;", "FLR.F h, a;", "FRC.F h, a;",
    "ROUND.F h, a;", "TRUNC.F h, a;", "CMP.F h, a, b, c;", "SLT.F h, a, b;", "SSG.F h, a;", "LRP.F h, a, b, c;",
    "DP2.F h, a, b;", "DP4.F h, a, b;",
    "RCP.F h, a.x;", "RSQ.F h, a.x;", "EX2.F h, a.x;", "SIN.F h, a.x;", "POW.F h, a.x, b.x;", "DIV.F h, a, b.x;",
    "LIT.F h, a;", "DST.F h, a, b;",
    "XPD.F h, a, b;", "NRM.F h, a;", "SCS.F h, a.x;", "SWZ.F h, a, y, -x, 0, 1;", "MOV.U h, a;", "MOV.S h, -a;",
    "ADD.U h, a, b;", "AND.U h, a, b;",
    "SHL.U h, a, 3;", "SLT.S h, a, b;", "CMP.S h, a, b, c;", "FLR.S h, a;", "CVT.U16.F32 h, a;", "CVT.S32.F32 h, a;",
    "MUL.S h, a, b;",
    "TGALL.F h, a;", "SHFIDX.F h.x, a.x, 3, 31;", "MOV.F16 h, a;", "ADD.F16 h, a, b;", "MUL.F16 h, a, b;",
    "MOV.F g, a;\nMOV.F h, g;",
    "MOV.F g, a;\nMOV.U h, g;", "MOV.U g, a;\nMOV.F h, g;", "ADD.F g, a, b;\nMOV.F h, g;",
    "ADD.F g, a, b;\nMOV.U h, g;",
    "ADD.F16 t, a, b;\nMOV.F h, t;", "ADD.F16 t, a, b;\nMOV.U h, t;", "RCP.F16 t, a.x;\nMOV.F h, t;",
    "CVT.F16.F32 t, a;\nMOV.U h, t;",
    "CVT.F16.F32 t, a;\nMOV.F h, t;", "MOV.U h, a;\nMOV.F h.xz, b;", "ADD.F h, a, b;\nMOV.U h.xz, c;",
    "ADD.F h, a, b;\nADD.F h.yw, a, c;",
    "MOV.F h, 0.1;", "MOV.F h, {0.1, 65520.0, 1e-7, -3.3};",
    "ADD.F h, {0.1, 3.3, 60000.0, 1e-6}, {0.2, 0.7, 60000.0, 1e-7};", "MOV.U h, {0x12345678, 0x3c00, 0x7c01, 3};",
    "MOV.F h, 0.1;\nADD.F h, h, a;", "MOV.F h, a;\nADD.F h, h, b;", "ADD.F h, a, b;\nADD.F h, h, h;",
    "MOV.U h, a;\nADD.F h, h, b;",
};

/* What finds it: r is made of h, and perhaps of b. */
static const char *const reads[] = {
    "MOV.U r, h;", "MOV.F r, h;", "MOV.F r, -h;", "ADD.F r, h, b;", "ADD.F.PREC r, h, b;", "MUL.F r, h, h;",
    "ADD.F16 r, h, b;", "AND.U r, h, 0xffff;", "ADD.S r, h, 1;",
    "CVT.F32.F16 r, h;", "CVT.F16.F32 r, h;", "CVT.U32.U16 r, h;", "UP2H.F r, h.x;", "MOV.F g, h;\nMOV.U r, g;",
    "MOV.F g, h;\nMOV.F r, g;", "MOV.U g, h;\nMOV.F r, g;", "SLT.F r, h, b;",
    "SLT.S r, h, b;", "CVT.S32.F32 r, h;", "RCP.F r, h.x;", "MAX.F r, h, b;", "CMP.F r, h, h, b;", "CMP.F r, b, h, a;",
    "CMP.S r, b, h, a;", "DP4.F r, h, b;",
    "SHFIDX.F r.x, h.x, 3, 31;\nMOV.U r.x, r.y;", "PK2H.F r, h;", "I2F.S r, h;",
    "STB.U32X4 h, outb[o.x];\nLDB.U32X4 r, outb[o.x];",
    "STB.U16X4 h, outb[o.x];\nLDB.U32X2 r, outb[o.x];", "STB.F16X4 h, outb[o.x];\nLDB.U32X2 r, outb[o.x];",
};

/* Where it is written and where read; ! stands for a write, % for another, ^ for the reads. */
static const char *const places[] = {
    "!\nSGT.S.CC q, c, 0;\nIF GT.x;\n%\nENDIF;\n^", "SGT.S.CC q, c, 0;\nIF GT.x;\n!\nELSE;\n%\nENDIF;\n^",
    "SGT.S.CC q, c, 0;\nIF GT.x;\n!\n^\nENDIF;",
    "!\nSGT.S.CC q, c, 0;\nIF GT.x;\n^\nENDIF;", "!\nREP.S 3;\n^\nMOV.U b, r.yzwx;\n%\nENDREP;",
    "!\nAND.U q.x, c.x, 3;\nREP.S q.x;\n^\nMOV.U b, r.yzwx;\n%\nENDREP;", "!\nREP.S 3;\n%\nENDREP;\n^",
    "!\nAND.U q.x, c.x, 3;\nREP.S q.x;\n%\nENDREP;\n^", "!\nCAL s;\n^\n@s:\n%\nRET;\n", "CAL s;\n^\n@s:\n!\nRET;\n",
    "!\nCAL s;\n@s:\n^\nRET;\n",
    "!\nSGT.S.CC q, c, 0;\nCAL s (GT.x);\n^\n@s:\n%\nRET;\n", "!\nMOV.U h, h.wzyx;\n^", "!\nMOV.F h, h.wzyx;\n^",
    "!\nMOV.U k[1], h;\nMOV.U h, k[1];\n^", "!\nMOV.F k[1], h;\nMOV.F h, k[1];\n^",
    "!\nAND.U q.x, c.x, 1;\nMOV.U k[q.x], h;\nMOV.U k[q.x + 1], h;\n%\nMOV.U h, k[1];\n^",
    "!\nAND.U q.x, c.x, 1;\nMOV.F k[q.x], h;\nMOV.F k[q.x + 1], h;\n%\nMOV.F h, k[1];\n^",
};
static const char *const place_writes[][2] = {
    {"MOV.F h, a;", "MOV.F h, b;"}, {"ADD.F h, a, b;", "ADD.F h, c, a;"}, {"MOV.F h, a;", "ADD.F h, a, b;"},
    {"ADD.F h, a, b;", "MOV.F h, a;"},
    {"MOV.U h, a;", "MOV.F h, b;"}, {"MOV.F h, a;", "MOV.U h, b;"}, {"ADD.F h, a, b;", "MOV.U h, b;"},
    {"MOV.F h, a;", "MOV.F h.xz, b;"}, {"MOV.F h, a;", "ADD.F h, h, b;"},
};
static const char *const place_reads[] = {"MOV.U r, h;", "MOV.F r, h;", "ADD.F r, h, b;", "AND.U r, h, 0xffff;"};

/* Under a condition-code mask: what w does not keep back. */
static const char *const masked[] = {
    "MOV.F h, c;\nSGT.F.CC q, a, b;\n!", "MOV.U h, c;\nSGT.F.CC q, a, b;\n!", "ADD.F h, c, a;\nSGT.F.CC q, a, b;\n!",
};
static const char *const masked_writes[] = {
    "MOV.F h (NE.x), a;", "MOV.F h (NE), a;", "MOV.U h (NE.x), a;", "ADD.F h (NE.x), a, b;", "ADD.F h (NE), a, b;",
    "ADD.F.SSAT h (NE.x), a, b;", "ADD.F.SAT h (NE), a, b;",
    "MUL.F.SSAT h (NE), a, b;", "CVT.F16.F32 h (NE), a;", "RCP.F h (NE.x), a.x;", "MOV.F h.xz (NE.x), a;",
};

/* In half arithmetic, with every clamp; @ is h, or r with .F16. */
static const char *const operations[] = {
    "ADD.F$ @, a, b;", "SUB.F$ @, a, b;", "MUL.F$ @, a, b;", "MAD.F$ @, a, b, c;", "MIN.F$ @, a, b;", "MAX.F$ @, a, b;",
    "MAX.F$ @, a, a;", "MOV.F$ @, a;", "ABS.F$ @, a;", "FLR.F$ @, a;",
    "CEIL.F$ @, a;", "FRC.F$ @, a;", "ROUND.F$ @, a;", "TRUNC.F$ @, a;", "CMP.F$ @, a, b, c;", "SLT.F$ @, a, b;",
    "SEQ.F$ @, a, b;", "SSG.F$ @, a;", "LRP.F$ @, a, b, c;", "DP2.F$ @, a, b;",
    "DP2A.F$ @, a, b, c;", "DP3.F$ @, a, b;", "DP4.F$ @, a, b;", "DPH.F$ @, a, b;", "RCP.F$ @, a.x;", "RSQ.F$ @, a.x;",
    "RCC.F$ @, a.x;", "EX2.F$ @, a.x;", "LG2.F$ @, a.x;", "SIN.F$ @, a.x;",
    "COS.F$ @, a.x;", "POW.F$ @, a.x, b.x;", "DIV.F$ @, a, b.x;", "LIT.F$ @, a;", "DST.F$ @, a, b;", "XPD.F$ @, a, b;",
    "X2D.F$ @, a, b, c;", "RFL.F$ @, a, b;", "NRM.F$ @, a;", "SCS.F$ @, a.x;",
    "SWZ.F$ @, a, y, -x, 0, 1;", "STR.F$ @, a, b;", "ADD.F$.PREC @, a, b;", "MUL.F$.PREC @, a, b;", "ADD.F$ @, a, 0.1;",
    "MUL.F$ @, a, -|b|;",
};

/* Products, sums and copies. */
static const char *const texts[] = {
    "MUL.F h, a, b;\nADD.F r, h, c;", "MUL.F h, a, b;\nADD.F.PREC r, h, c;", "MUL.F.PREC h, a, b;\nADD.F r, h, c;",
    "MUL.F h, a, b;\nSUB.F r, c, h;", "MUL.F h, a, b;\nADD.F r, -h, c;",
    "MUL.F h, a, b;\nADD.F r, |h|, c;", "MUL.F h, a, b;\nADD.F h, h, c;\nMOV.F r, h;",
    "MUL.F h, a, b;\nADD.F16 r, h, c;", "MUL.F t, a, b;\nADD.F16 r, t, c;", "MUL.F16 t, a, b;\nADD.F r, t, c;",
    "MUL.F16 t, a, b;\nADD.F16 r, t, c;", "MUL.F16 t, a, b;\nSUB.F16 r, c, t;", "MUL.F16 t, a, b;\nADD.F16 r, -t, c;",
    "MUL.F16 t, a, b;\nADD.F16 r, t, t;", "MUL.F16 t, a, b;\nADD.F16 r, t, c;\nADD.F16 r, r, t;",
    "MUL.F16 t, a, b;\nADD.F16.SAT r, t, c;", "MUL.F16.SAT t, a, b;\nADD.F16 r, t, c;",
    "MUL.F16 t, a, b;\nADD.F16.SSAT r, t, c;", "MUL.F16.SSAT t, a, b;\nADD.F16 r, t, c;",
    "MUL.F16.SSAT t, a, b;\nADD.F r, t, c;",
    "MUL.F16 t, a, b;\nADD.F16.SSAT h, t, c;\nMOV.U r, h;", "MUL.F16 t, a, 1.0;\nADD.F16 r, t, c;",
    "MUL.F16 t, a, -1.0;\nADD.F16 r, t, c;", "MUL.F16 t, a, b;\nMOV.F t, t;\nADD.F16 r, t, c;",
    "MUL.F16 t, a, b;\nMOV.F h, t;\nADD.F r, h, c;",
    "MUL.F16 t, a, b;\nMOV.F h, t;\nADD.F h, h, c;\nMOV.F r, h;", "MUL.F t, a, b;\nMOV.F h, t;\nADD.F r, h, c;",
    "MUL.F t, a, b;\nMOV.F h, t;\nADD.F h, h, c;\nMOV.F r, h;", "MUL.F t, a, b;\nMOV.F h, -t;\nADD.F r, h, c;",
    "MUL.F h, a, b;\nMOV.F g, h;\nADD.F r, g, c;", "MUL.F h, a, b;\nMOV.U g, h;\nADD.F r, g, c;",
    "MUL.F h, a, b;\nMOV.F t, h;\nADD.F r, t, c;", "MUL.F h, a, b;\nMOV.U t, h;\nMOV.U g, t;\nADD.F r, g, c;",
    "MUL.F h, a, b;\nMUL.F g, c, a;\nADD.F r, h, g;",
    "MUL.F h, a, b;\nMUL.F g, c, a;\nADD.F h, h, g;\nMOV.F r, h;", "MUL.F h, a, b;\nMUL.F t, c, a;\nADD.F r, h, t;",
    "MUL.F h, a, b;\nDP4.F r, h, c;", "MUL.F h, a, b;\nMAD.F r, h, c, a;", "MUL.F h, a, b;\nMAD.F r, a, c, h;",
    "MUL.F h, a, b;\nADD.F r, h, 0.1;", "MUL.F h, a, 0.1;\nADD.F r, h, c;",
    "MUL.F h, a, b;\nMOV.F h.xz, c;\nADD.F r, h, c;", "MUL.F h, a, b;\nMUL.F r, h, c;",
    "DIV.F h, a, b.x;\nADD.F r, h, c;", "DIV.F16 t, a, b.x;\nADD.F16 r, t, c;",
    "MUL.F h, a, h;\nMUL.F h, a, b;\nADD.F r, h, c;\nADD.F r, r, h;", "MOV.F h, a;\nMUL.F h, h, b;\nADD.F r, h, c;",
    "MOV.F h, a;\nMOV.F g, b;\nMUL.F t, h, g;\nADD.F r, t, c;", "MOV.F h, a;\nMUL.F16 t, h, b;\nADD.F16 r, t, c;",
    "MOV.F h, a;\nMOV.F g, b;\nADD.F r, h, g;", "ADD.F h, a, b;\nADD.F g, h, c;\nMOV.F r, g;",
    "ADD.F h, a, b;\nMOV.F t, h;\nADD.F16 r, t, c;", "ADD.F16 t, a, b;\nADD.F16 r, t, c;",
    "ADD.F16 t, a, b;\nADD.F r, t, c;",
    "ADD.F t, a, b;\nADD.F16 r, t, c;", "RSQ.F h, a.x;\nRCP.F r, h.x;", "RSQ.F h, a.x;\nRCP.F g, h.x;\nMOV.F r, g;",
    "RSQ.F t, a.x;\nRCP.F h, t.x;\nMOV.F r, h;", "RCP.F h, a.x;\nRCP.F r, h.x;", "RCP.F16 t, a.x;\nRCP.F16 r, t.x;",
    "RSQ.F16 t, a.x;\nRCP.F16 r, t.x;", "RSQ.F16 t, a.x;\nDIV.F16 r, b, t.x;",
    "MIN.F h, a, 1.0;\nMAX.F r, h, 0.0;", "MIN.F h, a, 1.0;\nMAX.F h, h, 0.0;\nMOV.F r, h;",
    "MIN.F16 t, a, 1.0;\nMAX.F16 r, t, 0.0;", "CVT.F16.F32 t, a;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32.FLR t, a;\nCVT.F32.F16 r, t;", "CVT.F16.F32.SAT t, a;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32 t, -a;\nCVT.F32.F16 r, -t;",
    "CVT.F16.F32 t, a;\nCVT.F32.F16 r, |t|;", "CVT.F16.F32 t, a;\nMOV.U t, t;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32 t, a;\nADD.U t, t, 0;\nCVT.F32.F16 r, t;", "CVT.F16.F32 t, a;\nAND.U t, t, 0xffff;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32 t, a;\nCVT.F32.F16 t, t;\nADD.F r, t, b;", "CVT.F16.F32 t, a;\nUP2H.F r, t.x;",
    "CVT.F16.F32 t, a;\nMOV.U t, t.wzyx;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32 t, a;\nSGT.S.CC q, c, 0;\nIF GT.x;\nCVT.F32.F16 r, t;\nENDIF;",
    "CVT.F16.F32 t, a;\nSGT.S.CC q, c, 0;\nIF GT.x;\nCVT.F16.F32 t, b;\nENDIF;\nCVT.F32.F16 r, t;",
    "CVT.F16.F32 t, a;\nCVT.F64.F16 D, t;\nCVT.F32.F64 r, D;", "CVT.F32.F16 t, a;\nCVT.F16.F32 r, t;",
    "PK2H.F t.x, a;\nUP2H.F r, t.x;", "UP2H.F t, a.x;\nPK2H.F r, t;", "CVT.F16.F32 t, a;\nMOV.F h, t;\nMOV.F r, h;",
    "CVT.F32.F16 t, a;\nMOV.F h, t;\nMOV.U r, h;", "UP2H.F t, a.x;\nMOV.F h, t;\nMOV.U r, h;",
    "UP2H.F t, a.x;\nADD.F16 r, t, b;", "CVT.F16.S32 t, a;\nCVT.F32.F16 r, t;", "CVT.F16.F64 t, D;\nCVT.F32.F16 r, t;",
    "MUL.F16 t, a, b;\nCVT.F16.F32 r, t;", "MUL.F16 t, a, b;\nPK2H.F r, t;", "MUL.F16 t, a, b;\nMOV.U r, t;",
    "MUL.F h, a, b;\nPK2H.F r, h;", "MUL.F h, a, b;\nCVT.F16.F32 r, h;", "MAD.F h, a, b, c;\nCVT.F16.F32 r, h;",
    "MUL.F.CC h, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (NAN), r, 4;",
    "MOV.F.CC h, a;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (NAN), r, 4;",
    "MOV.F.CC h, -a;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (NAN), r, 4;",
    "MOV.U.CC h, a;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (SF), r, 4;",
    "ADD.F.CC h, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (GT), r, 4;",
    "ADD.F.SAT.CC h, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (GT), r, 4;",
    "ADD.F.SSAT.CC h, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (GT), r, 4;",
    "ADD.F16.SSAT.CC t, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (GT), r, 4;",
    "ADD.F16.CC t, a, b;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (GT), r, 4;",
    "MOV.F h, a;\nMOV.F.CC q, h;\nMOV.U r, 0;\nMOV.U r (EQ), 1;\nOR.U r (LT), r, 2;\nOR.U r (NAN), r, 4;",
    "ADD.F h, a, b;\nMOV.F D, h;\nUP64.U r, D;", "MOV.F h, a;\nMOV.F D, h;\nUP64.U r, D;",
    "ADD.F h, a, b;\nMOV.U D, h;\nUP64.U r, D;", "PK64.U D.xy, a;\nMOV.F64 h, D;\nMOV.U r, h;",
    "PK64.U D.xy, a;\nADD.F64 h.xy, D, D;\nMOV.U r, h;", "PK64.U D.xy, a;\nMOV.F64 h, D;\nMOV.F r, h;",
    "PK64.U D.xy, a;\nCVT.F32.F64 h, D;\nMOV.F r, h;", "PK64.U D.xy, a;\nMOV.U64 h.xy, D;\nMOV.U r, h;",
    "ADD.F h, a, b;\nADD.F64 D, h, 1.0;\nUP64.U r, D;",
    "PK64.U D, a;\nSTB.U32X4 b, outb[o.x];\nATOMB.ADD.F16X2 D.x, c, outb[o.x];\nUP64.U r, D;",
    "PK64.U D, a;\nSTB.U32X4 b, outb[o.x];\nATOMB.ADD.F16X2 D.x, c, outb[o.x];\nLDB.U32X4 r, outb[o.x];",
    "PK64.U D, a;\nSTB.U32X4 b, outb[o.x];\nATOMB.ADD.F16X4 D.x, c, outb[o.x];\nUP64.U r, D;",
    "PK64.U D, a;\nSTB.U32X4 b, outb[o.x];\nATOMB.ADD.F16X4 D, c, outb[o.x];\nUP64.U r, D;",
    "MOV.U h, a;\nSTB.U32X4 b, outb[o.x];\nATOMB.ADD.F16X2 h.x, c, outb[o.x];\nMOV.U r, h;",
    "ADD.F h, a, b;\nATOMB.ADD.U32 r.x, h, outb[o.x];",
    "ADD.F h, a, b;\nATOMB.ADD.F32 r.x, h, outb[o.x];\nLDB.U32X4 r, outb[o.x];",
    "MOV.F h, a;\nATOMB.ADD.F32 r.x, h, outb[o.x];\nLDB.U32X4 r, outb[o.x];", "ADD.F h, a, b;\nTGBALLOT.F r, h;",
    "ADD.F h, a, b;\nTGBALLOT.U r, h;", "MOV.U h, a;\nTGBALLOT.F r, h;",
    "ADD.F h, a, b;\nCVT.U32.F16 r, h;",
    "ADD.F h, a, b;\nMOV.U k[1], h;\nAND.U q.x, c.x, 1;\nMOV.U k[0], a;\nMOV.F r, k[q.x];",
    "MOV.F k[0], a;\nMOV.F k[1], b;\nAND.U q.x, c.x, 1;\nMOV.F r, k[q.x];",
    "MOV.F k[0], a;\nMOV.F k[1], b;\nAND.U q.x, c.x, 1;\nMOV.U r, k[q.x];",
    "MOV.F k[0], a;\nMOV.F k[1], b;\nMOV.F r, k[1];", "MOV.F h.x, a;\nMOV.F h.y, b;\nMOV.U h.zw, c;\nMOV.F r, h;",
    "ADD.F h.x, a, b;\nADD.F h.y, c, b;\nMOV.U r, h;", "MOV.F h, a;\nBAR;\nMOV.F r, h;",
    "MOV.F h, a;\nTGALL.U q, a;\nMOV.F r, h;", "MOV.F h, a;\nMOV.F r.x, h.w;\nMOV.F r.yz, h.xyzw;\nMOV.U r.w, h.w;",
};

static void put(const struct opsweep_sink *to, const char *body, enum operand_set set)
{
    char name[256];
    size_t n = (size_t)snprintf(name, sizeof name, "HALF ");
    for (const char *p = body; *p && n < 220; p++)
        name[n++] = *p == '\n' ? ' ' : *p;
    name[n] = '\0';
    opsweep_run_halves(to, name, set, body, LANES);
}

/* A pattern with its numbers and signs replaced. */
static void fill(char *to, size_t size, const char *pattern, const char *const by[], const char *keys)
{
    size_t n = 0;
    for (const char *p = pattern; *p; p++) {
        const char *key = strchr(keys, *p);
        int k = key ? snprintf(to + n, size - n, "%s", by[key - keys]) : snprintf(to + n, size - n, "%c", *p);
        n += (size_t)k;
        if (n >= size)
            opsweep_fail("a body is too long");
    }
}

static void clamps(const struct opsweep_sink *to)
{
    static const char *const forms[][3] = {
        {".SAT", "h", "MOV.F r, h;"}, {".SSAT", "h", "MOV.F r, h;"}, {".SSAT", "h", "AND.U r, h, 0xffff;"},
        {"16.SAT", "r", ""}, {"16.SSAT", "r", ""}, {"16", "h", "MOV.F r, h;"}, {"16.SSAT", "h", "AND.U r, h, 0xffff;"}};
    char body[512], whole[600];
    for (size_t i = 0; i < COUNT(operations); i++)
        for (size_t f = 0; f < COUNT(forms); f++) {
            const char *by[] = {forms[f][0], forms[f][1]};
            fill(body, sizeof body, operations[i], by, "$@");
            snprintf(whole, sizeof whole, "%s\n%s", body, forms[f][2]);
            put(to, whole, SET_F32T);
        }
}

/* The same program as one before: a place with one write, and the same one. */
static bool repeats(size_t place, size_t write)
{
    for (size_t w = 0; w < write; w++)
        if (!strchr(places[place], '%') && !strcmp(place_writes[w][0], place_writes[write][0]))
            return true;
    return false;
}

void opsweep_halves(const struct opsweep_sink *to)
{
    char body[1024];
    for (size_t w = 0; w < COUNT(writes); w++)
        for (size_t r = 0; r < COUNT(reads); r++) {
            snprintf(body, sizeof body, "%s\n%s", writes[w], reads[r]);
            put(to, body, SET_F32T);
        }
    for (size_t p = 0; p < COUNT(places); p++)
        for (size_t w = 0; w < COUNT(place_writes); w++)
            for (size_t r = 0; r < COUNT(place_reads) && !repeats(p, w); r++) {
                const char *by[] = {place_writes[w][0], place_writes[w][1], place_reads[r]};
                fill(body, sizeof body, places[p], by, "!%^");
                put(to, body, SET_F32T);
            }
    for (size_t p = 0; p < COUNT(masked); p++)
        for (size_t w = 0; w < COUNT(masked_writes); w++)
            for (size_t r = 0; r < COUNT(place_reads); r++) {
                const char *by[] = {masked_writes[w]};
                char first[600];
                fill(first, sizeof first, masked[p], by, "!");
                snprintf(body, sizeof body, "%s\n%s", first, place_reads[r]);
                put(to, body, SET_F32T);
            }
    clamps(to);
    for (size_t i = 0; i < COUNT(texts); i++)
        put(to, texts[i], SET_F32T);
}
