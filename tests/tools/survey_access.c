/* The survey: textures, images, memory, conversions, conditions. */
#include <string.h>

#include "tests/tools/survey.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- textures and images ----------------------------------------------------------------------------------------- */

static const char *const texture_opcodes[] = {
    "TEX", "TXB", "TXL", "TXP", "TXD", "TXF", "TXFMS", "TXG", "TXGO", "LOD", "TXQ", "TXQS",
};

/* @ is the target, $ the opcode. */
static const char *const texture_forms[] = {
    "$ R0, R1, texture[0], @;", "$ R0, R1, R2, texture[0], @;", "$ R0, R1, R2, R3, texture[0], @;",
    "$ R0, texture[0], @;",
    "$ R0, R1, texture[0], @, (1);", "$ R0, R1, texture[0], @, (1, 1);", "$ R0, R1, texture[0], @, (1, 1, 1);",
    "$ R0, R1, texture[0], @, (0, 0, 0);", "$ R0, R1, texture[0], @, offset(R2);",
    "$ R0, R1, R2, texture[0], @, offset(R3);",
    "$ R0, R1, R2, R3, texture[0], @, (1, 1);", "$.LODCLAMP R0, R1, R2, texture[0], @;",
    "$.LODCLAMP R0, R1, texture[0], @;",
    "$.LODCLAMP R0, R1, R2, R3, texture[0], @;", "$.SPARSE R0, R1, texture[0], @;",
    "$.SPARSE.LODCLAMP R0, R1, R2, texture[0], @;",
    "$.S R0, R1, texture[0], @;", "$.U R0, R1, texture[0], @;", "$ R0, R1, texture[0].y, @;",
};

/* With the target 2D: how a unit is written, and the offset. */
static const char *const unit_forms[] = {
    "TEX R0, R1, texture, 2D;", "TEX R0, R1, texture[1], 2D;", "TEX R0, R1, texture[R2.x], 2D;",
    "TEX R0, R1, tx[0], 2D;",
    "TEX R0, R1, tx[R2.x], 2D;", "TEX R0, R1, tx[R2.x+1], 2D;", "TEX R0, R1, tx[2], 2D;", "TEX R0, R1, tx, 2D;",
    "TEX R0, R1, handle(D0.x), 2D;", "TEX R0, R1, handle(R2.x), 2D;", "TEX R0, R1, handle(D0), 2D;",
    "TEX R0, R1, handle(P[0].x), 2D;",
    "TEX R0, R1, handle(D0.x).x, 2D;", "TEX R0, R1, handle(), 2D;", "TEX R0, R1, R2, 2D;", "TEX R0, R1, image[0], 2D;",
    "TEX R0, R1, texture[0];", "TEX R0, R1, texture[0], 2D, 1;", "TEX R0, R1, texture[0], 2D, ();",
    "TEX R0, R1, texture[0], 2D (1, 1);",
    "TEX R0, R1, texture[0], 2D, (1, 1, 0);", "TEX R0, R1, texture[0], 2D, (1.0, 1);",
    "TEX R0, R1, texture[0], 2D, (+1, -1);",
    "TEX R0, R1, texture[0], 2D, (R2.x, 1);", "TEX R0, R1, texture[0], 2D, offset(R2.x);",
    "TEX R0, R1, texture[0], 2D, offset(R2.xyxy);",
    "TEX R0, R1, texture[0], 2D, offset(-R2);", "TEX R0, R1, texture[0], 2D, offset({1, 1, 0, 0});",
    "TEX R0, R1, texture[0], 2D, offset(1, 1);",
    "TEX R0, R1, texture[0], 2D, offset({1.0, 1, 0, 0});", "TEX R0, R1, texture[0], 2D, offset();",
    "TEX R0, R1, texture[0], 2D offset(R2);",
    "TEX R0, R1, texture[0], 2D, R2;", "TEX R0, R1, texture[0], offset(R2);",
    "TEX R0, R1, texture[0], 2D;\nTEX R0, R1, texture[0], 3D;",
    "TEX R0, R1, texture[0], 2D;\nTEX R0, R1, texture[0], SHADOW2D;",
    "TEX R0, R1, texture[0], 2D;\nTXF R0, R1, texture[0], 2D;",
    "TEX R0, R1, tx[0], 2D;\nTEX R0, R1, tx[1], 3D;", "TEX R0, R1, tx[R2.x], 2D;\nTEX R0, R1, texture[8], 3D;",
    "TEX R0, R1, texture[0], 2D;\nTXQ R0, R1, texture[0], 3D;", "TEX R0, 1.0, texture[0], 2D;",
    "TEX R0, R1.x, texture[0], 2D;",
    "TEX R0, {1, 2}, texture[0], 2D;", "TEX R0, -R1, texture[0], 2D;", "TEX R0, |R1|, texture[0], 2D;",
    "TEX R0, R1.wzyx, texture[0], 2D;",
    "TEX R0, P[0], texture[0], 2D;", "TEX R0.x, R1, texture[0], 2D;", "TEX R0 (NE.x), R1, texture[0], 2D;",
    "TEX H0, R1, texture[0], 2D;",
    "TEX D0, R1, texture[0], 2D;", "TEX IT, R1, texture[0], 2D;", "TEX.S IT, R1, texture[0], 2D;",
    "TXF R0, 1, texture[0], 2D;",
    "TXF R0, {1, 2, 3, 4}, texture[0], 2D;", "TXF R0, {1.0, 2, 3, 4}, texture[0], 2D;", "TXF R0, FT, texture[0], 2D;",
    "TXF R0, IT, texture[0], 2D;",
    "TXF R0, UT, texture[0], 2D;", "TEX R0, IT, texture[0], 2D;", "TXQ R0, R1.x, texture[0], 2D;",
    "TXQ R0, 0, texture[0], 2D;",
    "TXQ.S R0, R1, texture[0], 2D;", "TXQ FT, R1, texture[0], 2D;", "TXG R0, R1, texture[0].w, 2D;",
    "TXG R0, R1, texture[0].xy, 2D;",
    "TXG R0, R1, handle(D0.x).y, 2D;", "TXG R0, R1, tx[0].z, 2D;", "TXG R0, R1, texture[0].r, 2D;",
    "TXGO R0, R1, R2, R3, texture[0], 2D, (1, 1);",
    "TXGO R0, R1, {1, 2, 3, 4}, {1, 2, 3, 4}, texture[0], 2D;", "TXD R0, R1, R2, R3, texture[0], 2D, offset(R2);",
    "TEX R0, R1, texture[0], TEXTURE2D;", "TEX R0, R1, 2D, texture[0];", "TEX R0 R1, texture[0], 2D;",
    "TEX R0, texture[0], R1, 2D;",
    "TEX.S.U R0, R1, texture[0], 2D;", "TEX.F16 R0, R1, texture[0], 2D;", "TEX.F32 R0, R1, texture[0], 2D;",
    "TEX.CC R0, R1, texture[0], 2D;",
    "TEX.SAT R0, R1, texture[0], 2D;", "TEX.S.SAT R0, R1, texture[0], 2D;",
    "TEX.SPARSE R0, R1, texture[0], 2D;\nMOV R0 (RESIDENT), R1;",
    "TEX.SPARSE R0, R1, texture[0], 2D;\nIF NONRESIDENT;\nENDIF;",
    "TEX.SPARSE R0, R1, texture[0], 2D;\nMOV R0 (NONRESIDENT.x), R1;",
    "TEX.SPARSE.CC R0, R1, texture[0], 2D;", "TEX R0, R1, texture[0], 2D, handle(D0.x);", "DDX.FINE R0, R1;",
    "DDX.COARSE R0, R1;",
    "LOADIM.U32 R0, R1, image, 2D;", "LOADIM.U32 R0, R1, image[R2.x], 2D;", "LOADIM.U32 R0, R1, im[0], 2D;",
    "LOADIM.U32 R0, R1, im[R2.x], 2D;",
    "LOADIM.U32 R0, R1, im[2], 2D;", "LOADIM.U32 R0, R1, handle(D0.x), 2D;", "LOADIM.U32 R0, R1, texture[0], 2D;",
    "LOADIM R0, R1, image[0], 2D;",
    "LOADIM.F R0, R1, image[0], 2D;", "LOADIM.U32 R0, R1.x, image[0], 2D;", "LOADIM.U32 R0, 1, image[0], 2D;",
    "LOADIM.U32 R0, {1, 2, 3, 4}, image[0], 2D;",
    "STOREIM.U32 R0, R1, image[0], 2D;", "STOREIM.U32 image[0], R0, R1, 2D;", "STOREIM.F image[0], R0, R1, 2D;",
    "STOREIM image[0], R0, R1, 2D;",
    "STOREIM.U32 handle(D0.x), R0, R1, 2D;", "STOREIM.U32 im[R2.x], R0, R1, 2D;",
    "STOREIM.U32 im[0], {1, 2, 3, 4}, {1, 2, 3, 4}, 2D;",
    "LOADIM.U32 R0, R1, image[0], 2D;\nLOADIM.U32 R0, R1, image[0], 3D;",
    "LOADIM.U32 R0, R1, image[0], 2D;\nLOADIM.F32 R0, R1, image[0], 2D;",
    "LOADIM.U32 R0, R1, image[0], 2D, (1, 1);", "ATOMIM.ADD.U32 R0, R1, R2, handle(D0.x), 2D;",
    "ATOMIM.ADD.U32 R0, 1, R2, image[0], 2D;",
};

static void ask_targets(struct survey *s)
{
    static const char *const image_forms[] = {
        "LOADIM.U32 R0, R1, image[0], @;", "LOADIM.F R0, R1, image[0], @;", "STOREIM.U32 image[0], R0, R1, @;",
        "STOREIM.F image[0], R0, R1, @;",
        "ATOMIM.ADD.U32 R0, R1, R2, image[0], @;", "IMQ R0, image[0], @;", "IMQS R0, image[0], @;",
        "LOADIM.SPARSE.U32 R0, R1, image[0], @;",
    };
    char form[256], body[512];
    for (size_t t = 0; survey_targets[t]; t++) {
        for (size_t k = 0; k < COUNT(texture_opcodes); k++)
            for (size_t i = 0; i < COUNT(texture_forms); i++)
                if (survey_put(form, sizeof form, texture_forms[i], '@', survey_targets[t])
                    && survey_put(body, sizeof body, form, '$', texture_opcodes[k]))
                    survey_ask(s, s->rich, body, "target/%s/%s/%zu", texture_opcodes[k], survey_targets[t], i);
        for (size_t i = 0; i < COUNT(image_forms); i++)
            if (survey_put(body, sizeof body, image_forms[i], '@', survey_targets[t]))
                survey_ask(s, s->rich, body, "image/%zu/%s", i, survey_targets[t]);
    }
}

void survey_textures(struct survey *s)
{
    ask_targets(s);
    for (size_t i = 0; i < COUNT(unit_forms); i++) {
        survey_ask(s, s->rich, unit_forms[i], "unit/%zu/rich", i);
        survey_ask(s, s->plain, unit_forms[i], "unit/%zu/plain", i);
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* @ is a storage modifier. */
static const char *const memory_forms[] = {
    "LDC.@ R0, cb[R1.x];", "LDC.@ D0, cb[R1.x];", "LDB.@ R0, sb[R1.x];", "LDB.@ D0, sb[R1.x];", "STB.@ R0, sb[R1.x];",
    "STB.@ D0, sb[R1.x];",
    "LDS.@ R0, sm[R1.x];", "LDS.@ D0, sm[R1.x];", "STS.@ R0, sm[R1.x];", "STS.@ D0, sm[R1.x];", "LOAD.@ R0, D0.x;",
    "LOAD.@ D1, D0.x;",
    "STORE.@ R0, D0.x;", "STORE.@ D1, D0.x;", "LOADIM.@ R0, R1, image[0], 2D;", "STOREIM.@ image[0], R0, R1, 2D;",
    "LDC.@.CC R0, cb[R1.x];",
    "LDB.@.SAT R0, sb[R1.x];", "LDB.@.COH R0, sb[R1.x];", "LDB.COH.@ R0, sb[R1.x];", "LDB.@.VOL R0, sb[R1.x];",
    "LDB.@.COH.VOL R0, sb[R1.x];",
    "CVT.@ R0, R1;", "MOV.@ R0, R1;",
};

static const char *const access_forms[] = {
    "LDC.U32 R0, cb[0];", "LDC.U32 R0, cb[4];", "LDC.U32 R0, cb[3];", "LDC.U32 R0, cb[R1.x+4];",
    "LDC.U32 R0, cb[R1.x-4];", "LDC.U32 R0, cb[R1];",
    "LDC.U32 R0, cb[R1.x + 4];", "LDC.U32 R0, cb;", "LDC.U32 R0, sb[0];", "LDC.U32 R0, bf[0];",
    "LDC.U32 R0, program.buffer[0][0];",
    "LDC.U32 R0, cb[R1.x].x;", "LDC.U32 R0, -cb[R1.x];", "LDC.U32 R0, |cb[0]|;", "LDC.U32 R0, R1;", "LDC.F R0, cb[0];",
    "LDC R0, cb[0];", "LDC.S R0, cb[0];",
    "LDC.U32X4 R0, cb[4];", "LDC.U32X2 R0, cb[4];", "LDC.U32 R0.x, cb[0];", "LDC.U32 R0 (NE.x), cb[0];",
    "LDC.COH.U32 R0, cb[0];", "LDC.VOL.U32 R0, cb[0];",
    "LDC.U32 R0, cb[1.0];", "LDC.U32 R0, cb[-4];", "LDC.U32 R0, cb[0x10];", "LDC.U32 R0, cb[P[0].x];",
    "LDC.U32 R0, cb[arr[0].x];", "LDC.U32 R0, cb[IT.x];",
    "LDC.U32 R0, cb[FT.x];", "LDC.U32 R0, cb[UT.x];", "LDC.U32 R0, cb[H0.x];", "LDC.U32 R0, cb[D0.x];",
    "LDC.U32 R0, cb[-R1.x];", "LDC.U32 R0, cb[R1.x*4];",
    "LDC.U32 R0, cb[4+R1.x];", "LDC.U32 R0, cb[*];", "LDC.U32 R0, cb[*.x];", "LDC.U32 FT, cb[0];", "LDC.F32 IT, cb[0];",
    "LDC.U32.NTC FT, cb[0];",
    "LDB.U32 R0, sb[0];", "LDB.U32 R0, sb[R1];", "LDB.U32 R0, sb[R1.x+4];", "LDB.U32 R0, sb[R1.x-4];",
    "LDB.U32 R0, cb[R1.x];", "LDB.U32 R0, sm[0];",
    "LDB R0, sb[0];", "LDB.U R0, sb[0];", "LDB.U32 R0, sb[0].x;", "LDB.U32 R0, program.storage[0][0];",
    "STB.U32 R0, sb[0];", "STB.U32 sb[0], R0;",
    "STB.U32 R0.x, sb[0];", "STB.U32 -R0, sb[0];", "STB.U32 1, sb[0];", "STB.U32 1.0, sb[0];", "STB.F32 1, sb[0];",
    "STB.U32 {1, 2, 3, 4}, sb[0];", "STB.U32 R0 (NE.x), sb[0];",
    "STB.U32 R0, sb[0] (NE.x);", "STB R0, sb[0];", "STB.U32X2 R0, sb[4];", "STB.CC.U32 R0, sb[0];",
    "LDS.U32 R0, sm[0];", "LDS.U32 R0, sm[R1.x+4];",
    "LDS.U32 R0, sm[1024];", "LDS.U32X2 R0, sm[1020];", "LDS.U32 R0, sm[1022];", "LDS.U32 R0, sb[0];",
    "LDS.COH.U32 R0, sm[0];", "STS.U32 R0, sm[1020];", "STS.U32 R0, sm[1024];",
    "LOAD.U32 R0, D0.x;", "LOAD.U32 R0, R1.x;", "LOAD.U32 R0, D0;", "LOAD.U32 R0, P[0].x;", "LOAD.COH.U32 R0, D0.x;",
    "LOAD.U32 R0, D0.x + 4;", "STORE.U32 R0, D0.x;",
    "STORE.U32 D0.x, R0;", "STORE.VOL.U32 R0, D0.x;", "LOAD.U32 R0, {1}.x;", "LOAD.U32 R0, 1;",
    "ATOM.ADD.U32 R0, R1, D0.x;", "ATOM.ADD.U32 R0, D0.x, R1;", "ATOM.ADD.U32 R0.x, R1.x, D0.x;",
    "ATOM.U32.ADD R0, R1, D0.x;", "ATOM.ADD R0, R1, D0.x;",
    "ATOM.U32 R0, R1, D0.x;", "ATOM.ADD.U32 R0, 1, D0.x;", "ATOM.ADD.CC.U32 R0, R1, D0.x;",
    "ATOMB.ADD.U32 R0.x, R1, sb[R2.x];", "ATOMB.ADD.U32 R0, 1, sb[0];",
    "ATOMB.ADD.U32 R0.xy, R1, sb[0];", "ATOMB.ADD.U32.COH R0, R1, sb[0];", "ATOMB.CSWAP.U32 R0, {1, 2, 0, 0}, sb[0];",
    "ATOMB.ADD.U32 R0, sb[0], R1;",
    "ATOMS.ADD.U32 R0, 1, sm[0];", "ATOMS.ADD.U32 R0, 1, sm[1024];", "ATOMS.ADD.U32 R0, 1, sb[0];",
    "ATOMB.ADD.MIN.U32 R0, R1, sb[0];",
    "ATOMB.ADD.F16x2 R0.x, R1, sb[0];", "LDB.u32 R0, sb[0];", "ATOMCTR.INCR R0.x, ctr[0];",
    "ATOMCTR.INCR.U R0.x, ctr[0];", "ATOMCTR.INCR.S R0.x, ctr[0];",
    "ATOMCTR.INCR.F R0.x, ctr[0];", "ATOMCTR.DECR R0, ctr[0];", "ATOMCTR.GET R0, ctr[R1.x];", "ATOMCTR R0, ctr[0];",
    "ATOMCTR.INCR.CC R0, ctr[0];", "ATOMCTR.INCR R0, sb[0];",
    "ATOMCTR.INCR R0, ctr[4];", "ATOMCTR.INCR R0, ctr;", "ATOMCTROP.ADD.U R0.x, R1.x, ctr[0];",
    "ATOMCTROP.ADD.U R0.x, R1, ctr[0];", "ATOMCTROP.ADD R0.x, R1, ctr[0];",
    "ATOMCTROP.SUB.U R0.x, R1, ctr[0];", "ATOMCTROP.CSWAP.U R0.x, R1, ctr[0];", "ATOMCTROP.EXCH.U R0.x, R1, ctr[0];",
    "ATOMCTROP.INCR.U R0.x, R1, ctr[0];", "MOV R0, ctr[0];",
    "MOV R0, cb[0];", "MOV R0, sb[0];", "MOV R0, sm[0];", "MOV cb[0], R0;", "MOV sb[0], R0;", "MOV R0, bf[0];",
    "MOV R0, bf[R1.x];", "MOV R0, bf[R1.x+1];", "MOV R0, bs[R1.x];",
    "MOV bf[0], R0;", "MOV R0, bs[0].x;", "MOV R0, bs[0].y;", "MEMBAR;", "MEMBAR.CTA;", "MEMBAR.GL;", "MEMBAR.SYS;",
    "BAR;", "BAR.CTA;", "BAR 0;",
    "IF NE.x;\nBAR;\nENDIF;", "CAL L;\nRET;\nL:\nBAR;\nRET;\n",
    "CVT.F32 R0, R1;", "CVT.F32.F32 R0, R1;", "CVT R0, R1;", "CVT.F32.S32.U32 R0, R1;", "CVT.F32.S32 R0, -R1;",
    "CVT.F32.S32 R0, |R1|;", "CVT.F32.S32 R0, 1;", "CVT.S32.F32 R0, 1.0;",
    "CVT.S32.F32 R0, 1;", "CVT.F32.S32 R0, 1.0;", "CVT.F.S R0, R1;", "CVT.F32.S32.ROUND.FLR R0, R1;",
    "CVT.ROUND.F32.S32 R0, R1;", "CVT.F32.ROUND.S32 R0, R1;",
    "CVT.F32.S32.CC R0, R1;", "CVT.U8.S32.SAT R0, R1;", "CVT.F32.S32.SAT R0, R1;", "CVT.F32.S32.SSAT R0, R1;",
    "CVT.F32X2.S32 R0, R1;", "CVT.F64.F32 R0, R1;", "CVT.F64.F32 D0, R1;",
    "CVT.F32.F64 R0, D0;", "CVT.F32.F64 R0, R1;", "CVT.F32.S32.PREC R0, R1;", "CVT.F32.S32 FT, IT;",
    "CVT.F32.S32 IT, FT;", "CVT.F32.S32 R0.x, R1.y;",
    "MATCH.ANY.U R0, R1;", "MATCH.ALL.U R0, R1;", "MATCH.ANY R0, R1;", "MATCH.U R0, R1;", "MATCH.ANY.F R0, R1;",
    "MATCH.ANY.S R0, R1;", "MATCH.ANY.U64 R0, D0;", "MATCH.ANY.U.CC R0, R1;",
    "MATCH.ANY.ALL.U R0, R1;", "MATCH.U.ANY R0, R1;", "MATCH.ANY.U R0.x, R1.x;", "DEMOTE;", "DEMOTE NE.x;",
    "DEMOTE (NE.x);", "DEMOTE R0;", "DEMOTE -R0.x;", "KIL;", "KIL R0;", "KIL NE.x;", "KIL (NE.x);",
    "KIL -R0.x;", "KIL TR;", "KIL FL;", "KIL NE;", "KIL.F R0;", "KIL.S R0;", "KIL.U R0;", "KIL {-1, 0, 0, 0};",
    "KIL -1.0;", "KIL CC;", "KIL.S NE.x;",
};

static void ask_conversions(struct survey *s)
{
    static const char *const rounding[] = {"", ".CEIL", ".FLR", ".TRUNC", ".ROUND", ".SAT", ".CEIL.SAT", ".CC"};
    char body[128];
    for (size_t a = 0; survey_type_words[a]; a++)
        for (size_t b = 0; survey_type_words[b]; b++)
            for (size_t k = 0; k < COUNT(rounding); k++) {
                snprintf(body, sizeof body, "CVT.%s.%s%s %s, %s;", survey_type_words[a], survey_type_words[b],
                         rounding[k], strstr(survey_type_words[a], "64") ? "D0" : "R0",
                         strstr(survey_type_words[b], "64") ? "D1" : "R1");
                if (!survey_ask(s, s->rich, body, "convert/%s.%s%s", survey_type_words[a], survey_type_words[b],
                                rounding[k]) &&
                    k == 0)
                    break;
            }
}

static void ask_atomics(struct survey *s)
{
    static const char *const operations[] = {"ADD", "MIN", "MAX", "IWRAP", "DWRAP", "AND", "OR", "XOR", "EXCH", "CSWAP",
     "SUB"};
    static const char *const forms[] = {
        "ATOM.@ R0.x, R1, D0.x;", "ATOMB.@ R0.x, R1, sb[R2.x];", "ATOMS.@ R0.x, R1, sm[R2.x];",
        "ATOMIM.@ R0.x, R1, R2, image[0], 2D;",
        "ATOM.@ D2.x, D1, D0.x;", "ATOMB.@ D2.x, D1, sb[R2.x];", "ATOMS.@ D2.x, D1, sm[R2.x];",
        "ATOMIM.@ D2.x, D1, R2, image[0], 2D;",
        "ATOMCTROP.@ R0.x, R1, ctr[0];",
    };
    char words[64], body[128], head[SURVEY_TEXT];
    const struct survey_profile *p = s->profile;
    for (size_t k = 0; k < COUNT(forms); k++)
        for (size_t i = 0; i < COUNT(operations); i++)
            for (size_t t = 0; survey_storage_words[t]; t++) {
                snprintf(words, sizeof words, "%s.%s", operations[i], survey_storage_words[t]);
                if (!survey_put(body, sizeof body, forms[k], '@', words)
                    || !survey_ask(s, s->rich, body, "atomic/%zu/%s", k, words))
                    continue;
                /* which of the atomics' options it needs */
                static const char *const options[] = {"", "OPTION NV_shader_atomic_float;\n",
                 "OPTION NV_shader_atomic_float64;\n",
                    "OPTION NV_shader_atomic_fp16_vector;\n", "OPTION NV_shader_atomic_int64;\n",
                    "OPTION NV_gpu_program5_mem_extended;\n",
                    "OPTION NV_internal;\n"};
                for (size_t o = 0; o < COUNT(options); o++) {
                    snprintf(head, sizeof head,
                             "%s\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\n%s%s"
                             "STORAGE sb[] = { program.storage[0] };\n%sTEMP R0, R1, R2, R3;\nLONG TEMP D0, D1, D2;\n",
                             p->header, options[o], p->needs,
                             p->stage == DRIVER_COMPUTE ? "SHARED_MEMORY 1024;\n"
                                                          "SHARED sm[] = { program.sharedmem };\n"
                                                        : "");
                    if (survey_ask(s, head, body, "atomic-option/%zu/%s/%zu", k, words, o) && o == 0)
                        break;
                }
            }
}

void survey_memory(struct survey *s)
{
    char body[512];
    for (size_t k = 0; k < COUNT(memory_forms); k++)
        for (size_t t = 0; survey_storage_words[t]; t++)
            if (survey_put(body, sizeof body, memory_forms[k], '@', survey_storage_words[t]))
                survey_ask(s, s->rich, body, "storage/%zu/%s", k, survey_storage_words[t]);
    for (size_t i = 0; i < COUNT(access_forms); i++)
        if (survey_put(body, sizeof body, access_forms[i], '*', s->profile->attribute))
            survey_ask(s, s->rich, body, "access/%zu", i);
    ask_conversions(s);
    ask_atomics(s);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

void survey_conditions(struct survey *s)
{
    static const char *const contexts[] = {
        "IF @;\nENDIF;", "MOV R0 (@), R1;", "MOV R0(@), R1;", "REP R1.x;\nBRK (@);\nENDREP;",
        "REP R1.x;\nBRK @;\nENDREP;", "KIL @;", "RET (@);", "RET @;",
        "CAL L (@);\nRET;\nL:\nRET;\n", "IF (@);\nENDIF;", "REP R1.x;\nCONT (@);\nENDREP;",
        "BRA L (@);\nL:\nMOV R0, R1;\n",
    };
    static const char *const swizzles[] = {"", ".x", ".w", ".xyzw", ".xxxx", ".xy", ".r", ".rgba", ".xyz", "."};
    static const char *const numbers[] = {"", "0", "1", "2"};
    char rule[32], body[256];
    for (size_t r = 0; survey_rules[r]; r++)
        for (size_t n = 0; n < COUNT(numbers); n++)
            for (size_t c = 0; c < COUNT(contexts); c++)
                for (size_t w = 0; w < COUNT(swizzles); w++) {
                    if ((n > 1 || r > 1) && w > 1 && !(r > 20 && n == 0))
                        continue;
                    snprintf(rule, sizeof rule, "%s%s%s", survey_rules[r], numbers[n], swizzles[w]);
                    if (survey_put(body, sizeof body, contexts[c], '@', rule))
                        survey_ask(s, s->rich, body, "condition/%zu/%s", c, rule);
                }
}
