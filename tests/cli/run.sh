#!/bin/bash
# gp5 run: programs with their options, what they write, and every way in which a run can end.
. tests/cli/tap.inc
B=${B:-build} GP5=${GP5:-build/gp5}

# Prints nothing; $work/out and $work/err have the output, $status the exit status.
run() { "$GP5" run "$@" >"$work/out" 2>"$work/err" </dev/null; status=$?; }
json_lines() { python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$1"; }
words() { od -An -v -tx4 -w16 "$1" | sed 's/^ //'; }

cat >"$work/copy.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4;
STORAGE from[] = { program.storage[0] };
STORAGE to[] = { program.storage[1] };
TEMP at, v;
SHL.U at.x, invocation.globalid.x, 2;
LDB.U32 v.x, from[at.x];
ADD.U v.x, v.x, 1;
STB.U32 v.x, to[at.x];
END
EOT
printf '\1\0\0\0\2\0\0\0\3\0\0\0\377\377\377\377' >"$work/in"

ends 0 "a program on a file" --storage=0="$work/in" --storage=1=zero:16 --dump-storage=1="$work/dump" "$work/copy.cp"
equals "the dump is the buffer, raw" "00000002 00000003 00000004 00000000" "$(words "$work/dump")"
says "what ran is said" "1 group of 4 invocations" out
says "a buffer that nobody wrote" "storage 0: unchanged, 16 bytes" out
ends 0 "without a dump the lanes are shown" --storage=0="$work/in" --storage=1=zero:16 "$work/copy.cp"
says "the table has them" "lane    0      2     3     4     0" out
ends 0 "several groups, in three numbers" --groups=2,1,1 --storage=0="$work/in" --storage=1=zero:32 \
    --dump-storage=1="$work/dump" "$work/copy.cp"
equals "a read beyond the end gives 0" "00000002 00000003 00000004 00000000
00000001 00000001 00000001 00000001" "$(words "$work/dump")"
ends 0 "a write beyond the end goes nowhere" --groups=2 --storage=0="$work/in" --storage=1=zero:8 \
    --dump-storage=1="$work/dump" "$work/copy.cp"
equals "and the rest is right" "00000002 00000003" "$(words "$work/dump")"
ends 0 "a buffer that is not given" --storage=0="$work/in" "$work/copy.cp"
says "is named" "program.storage[1] has no buffer" err
for jobs in 1 2 4; do
    "$GP5" run -j $jobs --groups=64 --storage=0="$GP5" --storage=1=zero:1024 --dump-storage=1="$work/dump$jobs" \
        "$work/copy.cp" \
        >/dev/null
done
check "the number of threads changes nothing" cmp "$work/dump1" "$work/dump2"
check "nor do more of them" cmp "$work/dump1" "$work/dump4"

cat >"$work/parameters.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 1;
STORAGE to[] = { program.storage[0] };
CBUFFER c[] = { program.buffer[2] };
PARAM e = program.env[1];
PARAM l = program.local[0];
TEMP at, v;
MOV.U at.x, 0;
STB.U32X4 e, to[at.x];
STB.U32X4 l, to[at.x + 16];
LDC.U32 v.x, c[4];
STB.U32 v.x, to[at.x + 32];
END
EOT
ends 0 "parameters and a constant buffer" --env=1=1,-2,0x1p-3,0x7fc00001 --local=0=0x00000001,2,3,4 \
    --cbuffer=2="$work/in" \
    --storage=0=zero:36 --dump-storage=0="$work/dump" "$work/parameters.cp"
equals "arrive bit for bit" "3f800000 c0000000 3e000000 7fc00001
00000001 40000000 40400000 40800000
00000002" "$(words "$work/dump")"

# ---- what can go wrong ----

cat >"$work/undefined.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4;
STORAGE to[] = { program.storage[0] };
TEMP at, v;
SHL.U at.x, invocation.globalid.x, 2;
STB.U32 v.y, to[at.x];
END
EOT
ends 0 "an undefined value is no error" --storage=0=zero:16 "$work/undefined.cp"
says "but it is counted" "undefined: 4 words of the results" out
says "and explained, with its line" "4 from line 7: v.y" out
says "and marked in the table" "?" out
ends 1 "with --strict it is an error" --strict --storage=0=zero:16 "$work/undefined.cp"
says "at its place" "undefined.cp:7:" err
ends 0 "unless nobody looks" --undefined=off --storage=0=zero:16 "$work/undefined.cp"
check "then nothing is said" test -z "$(grep undefined: "$work/out")"
ends 2 "--strict cannot do without looking" --strict --undefined=off "$work/undefined.cp"

cat >"$work/loop.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 1;
TEMP v;
MOV.U v.x, 0;
REP.S;
ADD.U v.x, v.x, 1;
ENDREP;
END
EOT
ends 1 "a loop without an end is stopped" --max-instructions=10000 "$work/loop.cp"
says "and says where" "loop.cp:" err
printf '!!NVcp5.0\nGROUP_SIZE 1;\nMOVE r0, r1;\nEND\n' >"$work/bad.cp"
ends 1 "a program that is not valid" "$work/bad.cp"
says "is diagnosed like gp5 check does" "bad.cp:3:1: error:" err
printf '!!NVcp5.0\nOPTION NV_explicit_multisample;\nGROUP_SIZE 1;\nTEMP r;\nTXFMS r, {0}, texture[0], RENDERBUFFER;\n'\
'END\n' >"$work/samples.cp"
run "$work/samples.cp"
equals "what is not evaluated yet is skipped" 77 "$status"
says "and named" "the target RENDERBUFFER" err
printf 'no program' >"$work/text"
ends 1 "a text that is no program" "$work/text"
: >"$work/empty"
ends 1 "an empty file" "$work/empty"
ends 2 "a file that is not there" "$work/none.cp"
ends 2 "a folder" "$work"
ends 2 "no file" --groups=1
ends 0 "two files" --storage=0=zero:16 --storage=1=zero:16 "$work/copy.cp" "$work/copy.cp"
ends 2 "an option that nobody knows" --bogus "$work/copy.cp"
ends 2 "a wrong number of groups" --groups=1,2,3,4 "$work/copy.cp"
ends 1 "more groups than the driver takes" --groups=1,65536 "$work/copy.cp"
says "are counted" "65536 work groups in y; 65535 are the most" err
ends 1 "2^32 groups" --groups=65536,65536 "$work/copy.cp"
ends 2 "more groups than a number holds" --groups=4294967296 "$work/copy.cp"
ends 2 "a buffer of 4 GB" --storage=0=zero:4294967296 "$work/copy.cp"
says "is too large" "a buffer of 4294967296 bytes; 268435456 are the most" err
ends 2 "a storage option without its file" --storage=0 "$work/copy.cp"
ends 2 "a storage file that is not there" --storage=0="$work/none" "$work/copy.cp"
ends 2 "a buffer given twice" --storage=0=zero:4 --storage=0=zero:4 "$work/copy.cp"
ends 2 "a buffer that is too large" --storage=0=zero:999999999999 "$work/copy.cp"
ends 2 "a dump of a buffer that is not there" --dump-storage=3="$work/dump" "$work/copy.cp"
ends 2 "a dump into nowhere" --storage=0="$work/in" --storage=1=zero:16 --dump-storage=1=/nonexistent/x "$work/copy.cp"
ends 2 "a parameter of three numbers" --env=0=1,2,3 "$work/copy.cp"
ends 2 "a parameter of five numbers" --env=0=1,2,3,4,5 "$work/copy.cp"
ends 2 "a warp of 33 lanes" --warp=33 "$work/copy.cp"
ends 0 "--help" --help

# ---- traces ----

cat >"$work/trace.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 4;
TEMP a;
LONG TEMP d;
MOV.U.CC a.x, invocation.localindex.x;
IF NE.x;
MOV.U a.y, 7;
ENDIF;
MOV.U64 d.x, 1;
END
EOT
ends 0 "a trace" --trace="$work/trace" "$work/trace.cp"
equals "has each instruction, its lanes and what it changed" \
    "group 0 warp 0 lanes 0000000f line 5: MOV.U.CC a.x, invocation.localindex.x
      a.x
         0 00000000 00000001 00000002 00000003        .        .        .        .
      CC0.x sign 00000000 zero 00000001 carry 00000000 overflow 00000000
group 0 warp 0 lanes 0000000f line 6: IF NE.x
      lanes 0000000e
group 0 warp 0 lanes 0000000e line 7: MOV.U a.y, 7
      a.y = 00000007 in all of them
group 0 warp 0 lanes 0000000e line 8: ENDIF
      lanes 0000000f
group 0 warp 0 lanes 0000000f line 9: MOV.U64 d.x, 1
      d.x = 0000000000000001 in all of them" "$(cat "$work/trace")"
ends 0 "a trace on standard output" --trace "$work/trace.cp"
says "stands before the result" "line 9: MOV.U64 d.x, 1" out
ends 2 "a trace into nowhere" --trace=/nonexistent/x "$work/trace.cp"
ends 0 "a trace as JSON" --json --trace="$work/trace" "$work/trace.cp"
equals "is a line an instruction" 5 "$(wc -l <"$work/trace" | tr -d ' ')"
equals "with its lanes" '{"group":0,"warp":0,"line":6,"text":"IF NE.x","active":"0000000f","changed":{},"flags":{},'\
'"active_after":"0000000e"}' \
    "$(sed -n 2p "$work/trace")"
check "and what they hold" grep -q '"line":7,.*"a.y":{"lanes":\[null,"00000007","00000007","00000007",null,' \
    "$work/trace"
check "and flags" grep -q '"CC0.x":{"sign":"00000000","zero":"00000001","carry":"00000000","overflow":"00000000"}' \
    "$work/trace"
check "the trace's file has nothing else" grep -vq '"status"' "$work/trace"
ends 0 "a trace as JSON on standard output" --json --trace "$work/trace.cp"
equals "ends with what came out" 6 "$(wc -l <"$work/out" | tr -d ' ')"
check "each line is JSON" json_lines "$work/out"

# ---- results as JSON ----

ends 0 "what came out as JSON" --json --storage=0="$work/in" --storage=1=zero:16 "$work/copy.cp"
equals "is one object" "{\"file\":\"$work/copy.cp\",\"status\":\"ran\",\"semantics\":\"nvidia\",\
\"groups\":[1,1,1],\"group_size\":[4,1,1],\"instructions\":4,\"lane_instructions\":16,\
\"outputs\":[{\"output\":\"storage\",\"binding\":0,\"bytes\":16,\"unchanged\":true},\
{\"output\":\"storage\",\"binding\":1,\"bytes\":16,\"unchanged\":false,\"words\":[2,3,4,0],\"undefined\":[]}],\
\"undefined_words\":0,\"undefined_uses\":0,\"undefined\":[],\"not_modelled\":[]}" "$(cat "$work/out")"
ends 0 "what is dumped" --json --storage=0="$work/in" --storage=1=zero:16 --dump-storage=1="$work/dump" "$work/copy.cp"
says "is not printed" '"binding":1,"bytes":16,"unchanged":false}' out
ends 0 "a buffer whose last word is cut short" --json --storage=0="$work/in" --storage=1=zero:14 "$work/copy.cp"
check "is JSON too" json_lines "$work/out"
printf '!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 2;\nSTORAGE to[] = { program.storage[0] };\nTEMP a;\n'\
'ADD.U a.y, a.x, 1;\nSTB.U32X2 a, to[0];\nEND\n' >"$work/undefined.cp"
ends 0 "undefined words" --json --storage=0=zero:12 "$work/undefined.cp"
says "stand beside the words" '"undefined":[0,1]}' out
says "and have a reason" '"undefined":[{"line":7,"reason":"a.x was never written' out
printf '!!NVcp5.0\nGROUP_SIZE 2;\nTEMP a;\nADD.U a.y, b.x, 1;\nEND\n' >"$work/invalid.cp"
ends 1 "an invalid program" --json "$work/invalid.cp"
equals "has a place and a reason" "{\"file\":\"$work/invalid.cp\",\"status\":\"invalid\",\
\"message\":\"the operand b is not declared\",\"position\":43,\"line\":4,\"column\":12}" \
    "$(cat "$work/out")"
says "and a diagnostic" "invalid.cp:4:12: error" err
ends 0 "a test script" --json examples/scan.shader_test
says "gives what compare gives" '"name":"scan","status":"pass"' out
printf '!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nEND\n' >"$work/fragment.fp"
ends 0 "fragments" --json --size=2,1 "$work/fragment.fp"
says "have colours" '"output":"color","binding":0,"bytes":32,"words":[1048576000,1056964608,0,1065353216,1061158912,' \
    out
says "and say which pixels" '"covered":[1,1]' out

# ---- scripts ----

ends 0 "a script is traced" --trace="$work/trace" examples/scan.shader_test
equals "each of its runs, with the script's lines" "run 1, of line 46
group 0 warp 0 lanes ffffffff line 28: SHL.U at.x, invocation.globalid.x, 2" "$(sed 2q "$work/trace")"
says "and its probes are told" "32 components hold" out
ends 0 "and as JSON" --trace --json examples/scan.shader_test
check "a line each" json_lines "$work/out"
equals "with the run in front" '{"run":1,"line":46}' "$(sed q "$work/out")"
ends 2 "a script has its own inputs" --storage=0=zero:4 examples/scan.shader_test
says "and says so" "a test script has its own inputs" err
check "in few lines" [ "$(wc -l <"$work/err")" -le 3 ]
ends 2 "and its own outputs" --dump-storage=0="$work/dump" examples/scan.shader_test

# ---- races ----

cat >"$work/race.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 64;
SHARED_MEMORY 256;
SHARED s[] = { program.sharedmem };
TEMP R;
MUL.U R.x, invocation.localindex.x, 4;
STS.U32 R.x, s[R.x];
LDS.U32 R.y, s[16];
END
EOT
ends 0 "a race" --races=on "$work/race.cp"
equals "is shown with both accesses" "races: 63
    nothing orders these, shared memory, byte 16:
        write at line 7, group 0, warp 0, lane 4
        read at line 8, group 0, warp 0, lane 0
        63 times" "$(sed -n '/^races/,$p' "$work/out")"

# ---- fragments and warps ----

printf '!!ARBfp1.0\nKIL fragment.texcoord[0].x;\nADD result.color, fragment.texcoord[0], program.local[0];\nEND\n' \
    >"$work/add.fp"
ends 0 "a fragment program" --size=2,1 --local=0=0.5,0,0,0 "$work/add.fp"
says "shows its pixels" "0    0           0.75            0.5" out

cat >"$work/ballot.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_shader_thread_group;
GROUP_SIZE 48;
STORAGE to[] = { program.storage[0] };
TEMP at, v;
TGBALLOT.U v.x, {1, 1, 1, 1};
SHL.U at.x, invocation.localindex.x, 2;
STB.U32 v.x, to[at.x];
END
EOT
ends 0 "48 invocations" --storage=0=zero:192 --dump-storage=0="$work/dump" "$work/ballot.cp"
equals "are a warp and a half" "ffffffff 0000ffff" "$(words "$work/dump" |
    awk 'NR == 1 { printf "%s ", $1 } NR == 9 { print $1 }')"

# ---- counters, textures, images, addresses, subroutines, group sizes ----

cat >"$work/counted.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_atomic_counters;
GROUP_SIZE 32;
COUNTER c[] = { program.counter[2][0..1] };
TEMP v;
ATOMCTR.INCR v.x, c[1];
END
EOT
printf '\1\0\0\0\2\0\0\0' >"$work/counters"
ends 0 "counters" --groups=3 --counter=2="$work/counters" --dump-counter=2="$work/dump" "$work/counted.cp"
equals "are counted" "00000001 00000062" "$(words "$work/dump")"
ends 0 "without a dump they are shown" --counter=2=zero:8 "$work/counted.cp"
says "as words" "counter 2, u32" out
ends 0 "counters that are not given" "$work/counted.cp"
says "are named" "program.counter[2] has no buffer; --counter=2=zero:BYTES gives it one" err
ends 2 "a dump of counters that are not given" --dump-counter=2="$work/dump" "$work/counted.cp"
says "is an error" "there is no --counter=2" err

cat >"$work/stored.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 4;
TEMP at, v;
MOV.U at, 0;
MOV.U at.x, invocation.localindex.x;
LOADIM.U32 v.x, at, image[0], 2D;
ADD.U v.x, v.x, 5;
STOREIM.U32 image[1], v, at, 2D;
END
EOT
printf '\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0' >"$work/texels"
ends 0 "images" --texture=3=2D,R32UI,4x1="$work/texels" --texture=4=ARRAY2D,R32I,8x2x3,levels:2 --image=0=3,R32UI \
    --image=1=4,R32UI,level:1,layer:2 --dump-texture=4="$work/dump" "$work/stored.cp"
equals "are levels and layers of textures" "00000006 00000007 00000008 00000009" \
    "$(od -An -v -tx4 -w16 -j$((8 * 2 * 3 * 4 + 2 * 4 * 4)) "$work/dump" | sed 's/^ //')"
ends 0 "without a dump" --texture=3=2D,R32UI,4x1="$work/texels" --image=0=3,R32UI --image=1=3,R32UI "$work/stored.cp"
says "the texels that changed are shown" "texture 3, R32UI: what changed" out
ends 0 "an image that is not given" --texture=3=2D,R32UI,4x1="$work/texels" --image=0=3,R32UI "$work/stored.cp"
says "is named" "image[1] shows no texture" err
ends 0 "all levels" --texture=3=2D,R32UI,4x4,levels:all --image=1=3,R32UI,level:2 --image=0=3,R32UI "$work/stored.cp"
for wrong in 2D 2D,R32UI 2D,R32UI,4x4x4x4 2D,R32UI,0x4 5D,R32UI,4 2D,RGB8,4x4 2D,R32UI,4x4,levels:4 2D,R32UI,4x4,sharp \
    2D,R32UI,4x4,min:rough \
    CUBE,R8,4x5 RECT,R8,4x4,wrap:repeat,levels:2 2D,R32UI,16384x16384; do
    ends 2 "no texture: $wrong" --texture=3=$wrong "$work/stored.cp"
done
ends 2 "texels that are too few" --texture=3=2D,R32UI,4x2="$work/texels" --image=0=3,R32UI "$work/stored.cp"
says "are an error" "not as large as the levels" err
ends 2 "an image of no texture" --texture=3=2D,R32UI,4x2 --image=0=2,R32UI "$work/stored.cp"
says "is one" "an image is a level of one of the textures" err
for wrong in 3 3,R32 3,R32UI,side:1 3,R32UI,level:x; do
    ends 2 "no image: $wrong" --texture=3=2D,R32UI,4x2 --image=0=$wrong "$work/stored.cp"
done

cat >"$work/pointed.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 4;
CBUFFER c[] = { program.buffer[0] };
PARAM p = program.local[1];
TEMP i;
LONG TEMP A, B, W;
LDC.U64 A.x, c[8];
PK64.U B.x, p;
MUL.U i.x, invocation.localindex.x, 4;
CVT.U64.U32 W.x, i.x;
ADD.U64 A.x, A.x, W.x;
ADD.U64 B.x, B.x, W.x;
LOAD.U32 i.x, A.x;
STORE.U32 i.x, B.x;
END
EOT
ends 0 "addresses" --storage=5="$work/texels" --storage=6=zero:16 --cbuffer=0=zero:16 --local=1=0,0,0,0 \
    --pointer=cbuffer:0:8=storage:5 --pointer=local:1:0=storage:6 --dump-storage=6="$work/dump" "$work/pointed.cp"
equals "are those of buffers" "00000001 00000002 00000003 00000004" "$(words "$work/dump")"
for wrong in cbuffer cbuffer:0=storage:5 cbuffer:0:8=buffer:5 shared:0:8=storage:5 cbuffer:0:8 cbuffer:0:x=storage:5; do
    ends 2 "no pointer: $wrong" --storage=5=zero:4 --cbuffer=0=zero:16 --pointer=$wrong "$work/pointed.cp"
done
ends 2 "a pointer beyond its buffer" --storage=5=zero:4 --cbuffer=0=zero:15 --pointer=cbuffer:0:8=storage:5 \
    "$work/pointed.cp"
says "is an error" "a pointer stands in a buffer" err

cat >"$work/called.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION ARB_compute_variable_group_size;
STORAGE to[] = { program.storage[0] };
SUBROUTINETYPE T { f, g };
SUBROUTINE T v = program.subroutine[0];
TEMP at, r;
main:
MUL.U at.x, invocation.localindex.x, 4;
CALI v;
STB.U32 r.x, to[at.x];
RET;
f SUBROUTINENUM(0):
MOV.U r.x, invocation.groupsize.x;
RET;
g SUBROUTINENUM(3):
MOV.U r.x, invocation.groupsize.y;
RET;
END
EOT
ends 0 "a subroutine and a size of groups" --subroutine=3 --group-size=2,5 --storage=0=zero:40 \
    --dump-storage=0="$work/dump" \
    "$work/called.cp"
equals "that were chosen" "00000005 00000005 00000005 00000005
00000005 00000005 00000005 00000005
00000005 00000005" "$(words "$work/dump")"
says "and are said" "1 group of 10 invocations" out
ends 0 "another" --subroutine=0 --group-size=2 --storage=0=zero:8 --dump-storage=0="$work/dump" "$work/called.cp"
equals "gives another" "00000002 00000002" "$(words "$work/dump")"
ends 2 "no subroutine" --subroutine=f --storage=0=zero:8 "$work/called.cp"
# What a program of another kind is asked with is not left unsaid.
printf '!!NVfp4.0\nMOV result.color, 1;\nEND\n' >"$work/plain.fp"
printf '!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n' >"$work/plain.vp"
printf '!!NVcp5.0\nGROUP_SIZE 1;\nEND\n' >"$work/plain.cp"
ends 2 "groups of a fragment program" --groups=1 "$work/plain.fp"
says "what counts fragments" "fragments are counted by --size=WIDTH,HEIGHT" err
ends 2 "a size of their groups" --points --group-size=2 "$work/plain.fp"
says "likewise" "fragments are counted by --size=WIDTH,HEIGHT" err
ends 2 "groups of a vertex program" --count=1 --groups=1 "$work/plain.vp"
says "what counts vertices" "--count=N says how many" err
ends 2 "fragments of a compute program" --size=2,2 "$work/plain.cp"
says "what counts groups" "work groups are counted by --groups=X,Y,Z" err
ends 2 "subroutines of a program without" --subroutine=0 "$work/plain.fp"
says "that it has none" "the program has no program.subroutine[N]" err
ends 2 "of a compute program, too" --subroutine=0 "$work/plain.cp"
ends 0 "several of either kind with both" --groups=1 --size=2,2 "$work/plain.cp" "$work/plain.fp"
ends 2 "no size" --group-size=0 --storage=0=zero:8 "$work/called.cp"

# ---- scripts ----

ends 0 "a test script, without a driver" examples/scan.shader_test
says "checks its probes" "32 components hold" out
says "and shows the lanes" "storage 1, u32 by lane" out
ends 2 "a script takes no buffers" --storage=0=zero:4 examples/scan.shader_test
ends 2 "nor textures" --texture=0=2D,R8,4x4 examples/scan.shader_test
"$GP5" run - <examples/scan.shader_test >"$work/out" 2>&1
equals "from standard input" 0 $?
printf '[fragment shader]\n[test]\n' >"$work/skip.shader_test"
ends 77 "a script that is skipped" "$work/skip.shader_test"
printf '[test]\nfly 1 1 1\n' >"$work/wrong.shader_test"
ends 2 "a script with a wrong line" "$work/wrong.shader_test"
says "which is shown" "wrong.shader_test:2:1: error: no such command" err
done_testing
