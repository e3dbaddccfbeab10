# Writes kernels in the form that emulators' GLASM back ends give them: expanded templates in, programs out.
#
# A kernel is a list of "RESULT OPERATION OPERAND..." with "-" for no result; names are values, each with a register of its own that is
# free again behind its last use; "var" makes a register that stays. Lines "group N", "shared BYTES", "local WORDS" and "mode ldb|ptr" (storage
# by LDB and STB, or by addresses in program.local) stand first. What a back end knows of its guest is no more than one operation, so
# each becomes the same few instructions wherever it stands.
function def(name) {
    if (name in at)
        return at[name]
    for (r_ = 0; busy[r_]; r_++)
        ;
    busy[r_] = 1
    if (r_ >= registers)
        registers = r_ + 1
    return at[name] = "R" r_
}
function use(name) {
    if (name !~ /^[a-z][a-z0-9_]*$/)
        return name
    if (!(name in at)) {
        print "glasm.awk: " case ": " name " has no value" >"/dev/stderr"
        failed = 1
    }
    if (--uses[name] == 0 && !kept[name]) {
        reg_ = at[name]
        sub(/^R/, "", reg_)
        busy[reg_ + 0] = 0
        gone[++ngone] = name
        return "R" reg_ ".x"
    }
    return at[name] ".x"
}
function out(text) { body[++nbody] = text }
function option(name) { options[name] = 1 }
function pointer(binding, offset) {
    out("PK64.U DC,c[" binding "];CVT.U64.U32 DC.z," offset ";ADD.U64 DC.x,DC.x,DC.z;SLT.U.CC RC.x," offset ",c[" binding "].z;")
    if (binding + 1 > pointers)
        pointers = binding + 1
}
function simple(op, form) {
    gsub(/ D\./, " @0.", form)
    gsub(/ D,/, " @0,", form)
    forms[op] = form
}
function shuffle(name, d, p, a, b, m, s) {
    option("NV_shader_thread_shuffle")
    if (s != "") {
        out("BFI.U RC.x,{5,8,0,0}," s "," m ";")
        m = "RC"
    }
    d = def(d)
    p = p == "" ? d : def(p)
    out(name ".U " p "," a "," b "," m ";MOV.U " d ".x," p ".y;")
}
function statement(d, op, n, a,    form, i, v) {
    for (i = 1; i <= n; i++)
        v[i] = use(a[i])
    # values whose last use this is leave their registers to the result
    for (; ngone > 0; ngone--)
        if (!(gone[ngone] == d))
            delete at[gone[ngone]]
    if (op == "var") { kept[d] = 1; out("MOV." (v[1] ~ /[.]|e-/ && v[1] !~ /R/ ? "F " : "U ") def(d) ".x," v[1] ";"); return }
    if (op == "set") { out("MOV.U " at[d] ".x," v[1] ";"); return }
    if (op == "if") { out("MOV.S.CC RC," v[1] ";IF NE.x;"); return }
    if (op == "else") { out("ELSE;"); return }
    if (op == "endif") { out("ENDIF;"); return }
    if (op == "loop") { out("REP;"); return }
    if (op == "break") { out("MOV.S.CC RC," v[1] ";BRK (NE.x);"); return }
    if (op == "repeat") {
        i = "loop" int(loops / 4) "." substr("xyzw", loops % 4 + 1, 1)
        out("SUB.S.CC " i "," i ",1;BRK(LT." substr(i, length(i)) ");")
        loops++
        out(n ? "MOV.S.CC RC," v[1] ";BRK(EQ.x);ENDREP;" : "ENDREP;")
        return
    }
    if (op == "return") { out("RET;"); return }
    if (op == "barrier") { out("BAR;"); return }
    if (op == "membar") { out("MEMBAR.CTA;"); return }
    if (op == "load") {
        if (mode == "ldb") { out("LDB.U32 " def(d) "," "ssbo" v[1] "[" v[2] "];"); storages[v[1]] = 1 }
        else {
            pointer(v[1], v[2])
            d = def(d)
            out("IF NE.x;LOAD.U32 " d ",DC.x;ELSE;MOV.U " d ",{0,0,0,0};ENDIF;")
        }
        return
    }
    if (op == "store") {
        if (mode == "ldb") { out("STB.U32 " v[3] ",ssbo" v[1] "[" v[2] "];"); storages[v[1]] = 1 }
        else { pointer(v[1], v[2]); out("IF NE.x;STORE.U32 " v[3] ",DC.x;ENDIF;") }
        return
    }
    if (op ~ /^atom/) {
        form = toupper(substr(op, 5))
        if (mode == "ldb") { out("ATOMB." form ".U32 " def(d) "," v[3] ",ssbo" v[1] "[" v[2] "];"); storages[v[1]] = 1 }
        else { pointer(v[1], v[2]); d = def(d); out("IF NE.x;ATOM." form ".U32 " d "," v[3] ",DC.x;ENDIF;") }
        return
    }
    if (op ~ /^satom/) { out("ATOMS." toupper(substr(op, 6)) ".U32 " def(d) "," v[2] ",shared_mem[" v[1] "];"); return }
    if (op == "cbuf") { constants[v[1]] = 1; out("LDC.U32 " def(d) ",c" v[1] "[" v[2] "];"); return }
    if (op ~ /^shf/) { shuffle(toupper(op), d, "", v[1], v[2], v[3], v[4]); return }
    if (op ~ /^pshf/) { split(d, i_, ","); shuffle(toupper(substr(op, 2)), i_[1], i_[2], v[1], v[2], v[3], v[4]); return }
    if (op == "addc") {
        split(d, i_, ",")
        d = def(i_[1])
        v[3] = def(i_[2])
        out("ADD.S.CC " d ".x," v[1] "," v[2] ";IF CF.x;MOV.S " v[3] ".x,-1;ELSE;MOV.S " v[3] ".x,0;ENDIF;")
        return
    }
    if (op ~ /^(vote|ballot|lane|lt|le|gt|ge|eq)mask$|^(voteall|voteany|voteeq|ballot|lane)$/)
        option("NV_shader_thread_group")
    if (!(op in forms)) {
        print "glasm.awk: " case ": no operation " op >"/dev/stderr"
        failed = 1
        return
    }
    form = forms[op]
    d = def(d)
    gsub(/@0/, d, form)
    for (i = 1; i <= n; i++)
        gsub("@" i, v[i], form)
    out(form)
}
function compare(name, op, type) {
    simple(name, op "." type " RC.x,@1,@2;SNE.S D.x,RC.x,0;")
    simple(name "u", op "." type " RC.x,@1,@2;SNE." type " RC.y,@1,@1;SNE." type " RC.z,@2,@2;OR.U RC.x,RC.x,RC.y;OR.U RC.x,RC.x,RC.z;SNE.S D.x,RC.x,0;")
}
BEGIN {
    simple("mov", "MOV.U D.x,@1;"); simple("iadd", "ADD.S D.x,@1,@2;"); simple("isub", "SUB.S D.x,@1,@2;")
    simple("imul", "MUL.S D.x,@1,@2;"); simple("and", "AND.S D.x,@1,@2;"); simple("or", "OR.S D.x,@1,@2;")
    simple("xor", "XOR.S D.x,@1,@2;"); simple("not", "NOT.S D,@1;"); simple("shl", "SHL.U D.x,@1,@2;")
    simple("shr", "SHR.U D.x,@1,@2;"); simple("sar", "SHR.S D.x,@1,@2;"); simple("imin", "MIN.S D,@1,@2;")
    simple("imax", "MAX.S D,@1,@2;"); simple("umin", "MIN.U D,@1,@2;"); simple("umax", "MAX.U D,@1,@2;")
    simple("iabs", "ABS.S D,@1;"); simple("ineg", "MOV.S D,-@1;"); simple("bfeu", "BFE.U D,{@2,@3,0,0},@1;")
    simple("bfes", "BFE.S D,{@2,@3,0,0},@1;"); simple("bfi", "BFI.S D,{@3,@4,0,0},@2,@1;")
    simple("bfer", "MOV.U RC.x,@2;MOV.U RC.y,@3;BFE.U D,RC,@1;"); simple("rev", "BFR D,@1;"); simple("popc", "BTC D,@1;")
    simple("msb", "BTFM.U D,@1;"); simple("smsb", "BTFM.S D,@1;"); simple("sclamp", "MIN.S RC.x,@3,@1;MAX.S D.x,RC.x,@2;")
    simple("uclamp", "MIN.U RC.x,@3,@1;MAX.U D.x,RC.x,@2;"); simple("sel", "CMP.S D.x,@1,@2,@3;")
    simple("lnot", "SEQ.S D.x,@1,0;"); simple("udiv", "DIV.U D.x,@1,@2;"); simple("umod", "MOD.U D.x,@1,@2;")
    simple("fadd", "ADD.F D.x,@1,@2;"); simple("fmul", "MUL.F D.x,@1,@2;"); simple("ffma", "MAD.F D.x,@1,@2,@3;")
    simple("fadd_p", "ADD.F.PREC D.x,@1,@2;"); simple("fmul_p", "MUL.F.PREC D.x,@1,@2;"); simple("ffma_p", "MAD.F.PREC D.x,@1,@2,@3;")
    simple("fneg", "MOV.F D.x,-@1;"); simple("fabs", "MOV.F D.x,|@1|;"); simple("fsat", "MOV.F.SAT D.x,@1;")
    simple("fmin", "MIN.F D.x,@1,@2;"); simple("fmax", "MAX.F D.x,@1,@2;"); simple("fsin", "SIN D.x,@1;"); simple("fcos", "COS D.x,@1;")
    simple("fex2", "EX2 D.x,@1;"); simple("flg2", "LG2 D.x,@1;"); simple("frcp", "RCP D.x,@1;"); simple("frsq", "RSQ D.x,@1;")
    simple("fsqrt", "RSQ RC.x,@1;RCP D.x,RC.x;"); simple("fclamp", "MAX.F RC.x,@2,@1;MIN.F D.x,RC.x,@3;")
    simple("ffloor", "FLR.F D.x,@1;"); simple("fceil", "CEIL.F D.x,@1;"); simple("ftrunc", "TRUNC.F D.x,@1;"); simple("fround", "ROUND.F D.x,@1;")
    simple("i2f", "CVT.F32.S32 D.x,@1;"); simple("u2f", "CVT.F32.U32 D.x,@1;"); simple("f2i", "CVT.S32.F32 D.x,@1;"); simple("f2u", "CVT.U32.F32 D.x,@1;")
    simple("pk2h", "MOV.F RC.x,@1;MOV.F RC.y,@2;PK2H D.x,RC;"); simple("up2hx", "UP2H RC.xy,@1;MOV.F D.x,RC.x;"); simple("up2hy", "UP2H RC.xy,@1;MOV.F D.x,RC.y;")
    simple("slt", "SLT.S D.x,@1,@2;"); simple("sle", "SLE.S D.x,@1,@2;"); simple("sgt", "SGT.S D.x,@1,@2;"); simple("sge", "SGE.S D.x,@1,@2;")
    simple("ult", "SLT.U D.x,@1,@2;"); simple("ule", "SLE.U D.x,@1,@2;"); simple("ugt", "SGT.U D.x,@1,@2;"); simple("uge", "SGE.U D.x,@1,@2;")
    simple("ieq", "SEQ.S D.x,@1,@2;"); simple("ine", "SNE.U D.x,@1,@2;")
    compare("flt", "SLT", "F"); compare("fle", "SLE", "F"); compare("fgt", "SGT", "F"); compare("fge", "SGE", "F"); compare("feq", "SEQ", "F")
    simple("tid", "MOV.S D,invocation.localid;MOV.U D.x,@0.x;"); simple("wgid", "MOV.S D,invocation.groupid;MOV.U D.x,@0.x;")
    simple("lane", "MOV.S D.x,invocation.threadid;"); simple("ltmask", "MOV.U D,invocation.threadltmask;"); simple("gemask", "MOV.U D,invocation.threadgemask;")
    simple("voteall", "TGALL.S D.x,@1;"); simple("voteany", "TGANY.S D.x,@1;"); simple("voteeq", "TGEQ.S D.x,@1;"); simple("ballot", "TGBALLOT D.x,@1;")
    simple("lds", "LDS.U32 D,shared_mem[@1];"); simple("ldl", "MOV.U D,lmem[@1].x;")
    simple("dmul", "MOV.U RC.x,@1;MOV.U RC.y,@2;PK64 D0.x,RC;MUL.F64 D0.x,D0.x,D0.x;UP64 RC.xy,D0.x;MOV.U D.x,RC.y;")
    simple("i64add", "MOV.U RC.x,@1;MOV.U RC.y,@2;PK64.U D0.x,RC;ADD.S64 D0.x,D0.x,D0.x;UP64.U RC.xy,D0.x;XOR.S D.x,RC.x,RC.y;")
}
function flush(    i, j, n, a, w, line, decl) {
    delete at; delete busy; delete uses; delete kept; delete body; delete options; delete storages; delete constants
    nbody = ngone = registers = pointers = loops = 0
    shared = local = 0
    group = 32
    mode = "ldb"
    for (i = 1; i <= nlines; i++) {
        n = split(lines[i], w, " ")
        for (j = 3; j <= n; j++)
            uses[w[j]]++
    }
    for (i = 1; i <= nlines; i++) {
        n = split(lines[i], w, " ")
        if (w[1] == "group") group = w[2]
        else if (w[1] == "shared") shared = w[2]
        else if (w[1] == "local") local = w[2]
        else if (w[1] == "mode") mode = w[2]
        else if (n && w[1] == "-" && w[2] == "sts") { w[3] = use(w[3]); w[4] = use(w[4]); out("STS.U32 " w[4] ",shared_mem[" w[3] "];") }
        else if (n && w[1] == "-" && w[2] == "stl") { w[3] = use(w[3]); w[4] = use(w[4]); out("MOV.U lmem[" w[3] "].x," w[4] ";") }
        else if (n) {
            delete a
            for (j = 3; j <= n; j++)
                a[j - 2] = w[j]
            statement(w[1], w[2], n - 2, a)
        }
    }
    print "@case " case
    print "@in " inputs (mode == "ptr" ? " pointers" : "")
    print "!!NVcp5.0"
    decl = "OPTION NV_internal;OPTION NV_shader_storage_buffer;OPTION NV_gpu_program_fp64;"
    if ("NV_shader_thread_group" in options) decl = decl "OPTION NV_shader_thread_group;"
    if ("NV_shader_thread_shuffle" in options) decl = decl "OPTION NV_shader_thread_shuffle;"
    decl = decl "GROUP_SIZE " group " 1 1;"
    if (shared) decl = decl "SHARED_MEMORY " shared ";SHARED shared_mem[]={program.sharedmem};"
    decl = decl "TEMP "
    for (i = 0; i < registers; i++) decl = decl "R" i ","
    decl = decl "RC;LONG TEMP D0,DC;"
    if (local) decl = decl "TEMP lmem[" local "];"
    for (i = 0; i * 4 < loops; i++) decl = decl "TEMP loop" i ";"
    for (i = 0; i < 8; i++) if (i in constants) decl = decl "CBUFFER c" i "[]={program.buffer[" i "]};"
    if (mode == "ptr" && pointers) decl = decl "PARAM c[" pointers "]={program.local[0.." pointers - 1 "]};"
    for (i = 0; i < 8; i++) if (i in storages) decl = decl "STORAGE ssbo" i "[]={program.storage[" i "]};"
    print decl
    for (i = 0; i * 4 < loops; i++) print "MOV.S loop" i ",{8192,8192,8192,8192};"
    for (i = 1; i <= nbody; i++) { gsub(/;/, ";\n", body[i]); sub(/\n$/, "", body[i]); print body[i] }
    print "END"
    print "@end"
}
/^@case / { case = $2; nlines = 0; next }
/^@in / { sub(/^@in /, ""); inputs = $0; next }
/^@end/ { flush(); next }
{ lines[++nlines] = $0 }
END { exit failed }
