#!/bin/bash
# gp5 compare: scripts, drivers that lie, live comparison with the machine's own driver, recordings and reports.
. tests/cli/tap.inc
B=${B:-build} GP5=${GP5:-build/gp5}

run() { "$GP5" compare "$@" >"$work/out" 2>"$work/err" </dev/null; status=$?; }

# ---- without a driver ----

for example in examples/*.shader_test; do
    ends 0 "the probes of $example hold" --driver=none "$example"
done

# script NAME: a compute script from standard input behind a program that stores globalid + 1
script() {
    { cat <<'EOT'
[compute program]
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4;
STORAGE to[] = { program.storage[0] };
TEMP at, v;
SHL.U at.x, invocation.globalid.x, 2;
ADD.U v.x, invocation.globalid.x, 1;
STB.U32 v.x, to[at.x];
END
# liar: honest
[test]
EOT
      cat; } >"$work/$1.shader_test"
}
script good <<<'storage 0 zero 32
compute 2 1 1
probe storage 0 0 u32 1 2 3 4 5 6 7 8'
script bad <<<'storage 0 zero 32
compute 2 1 1
probe storage 0 16 u32 5 7'
script nothing <<<'storage 0 zero 32
compute 2 1 1'
script wrong <<<'storage 0 zero 32
dance'
script skipped <<<'uniform float x 1'
script twice <<<'storage 0 zero 32
compute 1 1 1
probe storage 0 0 u32 1 2 3 4 0 0 0 0
probe ssbo uint 0 12 == 4
probe ssbo uint 0 12 < 5
probe ssbo uint 0 12 > 3
compute 2 1 1
probe storage 0 16 u32 5 6 7 8'
sed -i 's/< 5/> 5/; s/> 3/< 3/' "$work/twice.shader_test"
ends 0 "probes that hold" --driver=none "$work/good.shader_test"
ends 1 "a probe that does not" --driver=none "$work/bad.shader_test"
says "is shown with line, place and both values" \
    "line 15: probe of the reference, storage 0 byte 20, invocation 5 (group 1 warp 0 lane 1) [0]: "\
"expected 0x00000007  7, reference has 0x00000006  6; off by 1 (rule: u32 exact)"
ends 77 "a test that checks nothing does not pass" --driver=none "$work/nothing.shader_test"
ends 2 "a line that nobody knows" --driver=none "$work/wrong.shader_test"
says "is shown" "wrong.shader_test:14:1: error: no such command" err
ends 77 "a line that only piglit knows" --driver=none "$work/skipped.shader_test"
says "is shown, too" "skipped.shader_test:13:1: note: this command is not supported yet" err
ends 0 "two dispatches, and piglit's probes" --driver=none "$work/twice.shader_test"
cat <<'EOT' >"$work/samples.shader_test"
[require]
GL_NV_compute_program5

[compute program]
!!NVcp5.0
OPTION NV_shader_storage_buffer;
OPTION NV_texture_multisample;
OPTION ARB_shader_texture_image_samples;
GROUP_SIZE 8;
STORAGE out[] = { program.storage[0] };
TEMP at, v, r;
MUL.U r.x, invocation.localindex.x, 4;
MOV.S at, {1, 1, 2, 0};
AND.U at.w, invocation.localindex.x, 3;
TXFMS.U v, at, texture[0], ARRAY2DMS;
STB.U32 v, out[r.x];
TXQS v.x, texture[0], ARRAY2DMS;
STB.U32 v, out[32];
TXFMS.F v, at, texture[1], 2DMS;
STB.F32 v, out[36];
END

[test]
storage 0 zero 40
texture 0 ARRAY2DMS R32UI 2 3 4 samples 4 ramp u32 96
texture 1 2DMS R32F 2 2 samples 8 ramp f32 32
compute 1 1 1
probe storage 0 0 u32 51 57 63 69 51 57 63 69
probe storage 0 32 u32 4
probe storage 0 36 f32 15
EOT
ends 0 "samples stand as slices of their layer" --driver=none "$work/samples.shader_test"
sed 's/samples 4 ramp u32 96/samples 33 ramp u32 96/' "$work/samples.shader_test" >"$work/many.shader_test"
ends 2 "33 samples are an error of the script" --driver=none "$work/many.shader_test"
ends 77 "skipped is worse than passed" --driver=none "$work/good.shader_test" "$work/skipped.shader_test"
ends 1 "failed is worse than skipped" --driver=none "$work/skipped.shader_test" "$work/bad.shader_test"
ends 2 "an error is worst" --driver=none "$work/bad.shader_test" "$work/wrong.shader_test" "$work/good.shader_test"
says "all of them are counted" "1 passed, 1 failed, 0 skipped, 1 errors"
ends 2 "a file that is not there" --driver=none "$work/none.shader_test"
ends 2 "a folder" --driver=none "$work"
ends 2 "no test" --driver=none
ends 2 "a driver that nobody knows" --driver=magic "$work/good.shader_test"
ends 2 "two sources" --driver=egl --replay=x "$work/good.shader_test"
ends 2 "a recording of nothing" --driver=none --record=x "$work/good.shader_test"
ends 0 "undefined words alone do not fail" --driver=none examples/divergence.shader_test
says "but are explained" "16 from line "
says "by their reason" "was inactive"

# ---- a driver that does as it is told: each byte with 0x5a flipped ----

liar() { GP5_GL_WORKER="$B/tests/liar" run --driver=egl "$@"; }
if [ -x "$B/tests/liar" ]; then
    liar "$work/nothing.shader_test"
    equals "a driver with other results" 1 "$status"
    says "is caught in every component" "8 components: 0 the same bits, 0 by rule, 8 different, 0 undefined"
    says "with lane, values and rule" "line 14: storage 0 byte 0, invocation 0 (group 0 warp 0 lane 0) [0]: "\
"expected 0x00000001  1, driver has 0x5a5a5a5a  1515870810; off by 1515870809 (rule: u32 exact)"
    script near <<<'storage 0 zero 32
compare storage 0 u32 absolute 1515870809
compute 2 1 1'
    liar "$work/near.shader_test"
    equals "a rule that is wide enough" 0 "$status"
    says "is counted as a rule" "0 the same bits, 8 by rule, 0 different"
    script none <<<'storage 0 zero 32
compare storage 0 none   as a matter of taste
compute 2 1 1'
    liar "$work/none.shader_test"
    equals "a buffer that is not compared is no pass" 77 "$status"
    says "and the reason is told" "32 bytes: as a matter of taste"
    script layout <<<'storage 0 zero 32
layout storage 0 f32 2 a b
compute 1 1 1'
    liar -v "$work/layout.shader_test"
    says "a float is printed as one, in hex too" \
        "expected 0x00000001  1.40129846e-45  0x1p-149, driver has 0x5a5a5a5a  1.53652219e+16"
    says "the table shows both sides" "1.40129846e-45|1.53652219e+16"
    says "and the layout's names" "lane "
    liar --ulp=1515870810 "$work/layout.shader_test"
    equals "--ulp takes the place of the rule" 0 "$status"
    liar --json "$work/nothing.shader_test"
    says "JSON has the status" '"status":"fail"'
    says "and the finding" '"offset":0,"invocation":0,"group":0,"warp":0,"lane":0,"component":0,'\
'"type":"u32","expected":"0x00000001","got":"0x5a5a5a5a","rule":"u32 exact"'
    equals "on one line" 1 "$(wc -l <"$work/out")"
    for end in segv exit; do
        sed "s/^# liar: honest/# liar: $end/; s/^END/# liar: $end\nEND/" "$work/nothing.shader_test" \
            >"$work/$end.shader_test"
        liar "$work/$end.shader_test" "$work/near.shader_test"
        equals "a driver that dies ($end) fails its own test" 1 "$status"
        says "which is charged with it" "driver: crashed"
        says "the next one goes on" "1 passed, 1 failed"
    done
    # Two tests at a time take turns at one driver, and what they say is what they say one by one.
    printf '#!/bin/sh\necho >>"%s"\nexec "%s"\n' "$work/starts" "$B/tests/liar" >"$work/counted"
    chmod +x "$work/counted"
    for i in 1 2 3 4 5 6 7; do
        cp "$work/near.shader_test" "$work/turn$i.shader_test"
    done
    cp "$work/nothing.shader_test" "$work/turn3.shader_test"
    cp "$work/skipped.shader_test" "$work/turn6.shader_test"
    GP5_GL_WORKER="$work/counted" run --driver=egl "$work"/turn?.shader_test
    equals "several tests beside one driver" 1 "$status"
    says "each has its own answer" "5 passed, 1 failed, 1 skipped, 0 errors"
    equals "which was started once" 1 "$(wc -l <"$work/starts")"
    cp "$work/out" "$work/together"
    liar -j1 "$work"/turn?.shader_test
    check "the same as one at a time" cmp "$work/out" "$work/together"
    GP5_GL_WORKER="$work/counted" run --driver=egl -j2 "$work"/turn?.shader_test
    equals "-j2 starts two more" 3 "$(wc -l <"$work/starts")"
    check "and says the same" cmp "$work/out" "$work/together"
    cp "$work/segv.shader_test" "$work/turn2.shader_test"
    liar "$work"/turn?.shader_test
    equals "one that dies on the way" 1 "$status"
    says "fails its own test alone" "4 passed, 2 failed, 1 skipped, 0 errors"
    # Pixels that one side alone drew are no edges.
    { cat <<'EOT'
[require]
SIZE 32 32
[vertex program]
!!ARBvp1.0
MOV result.position, vertex.position;
END
[fragment program]
!!ARBfp1.0
# liar: columns
MOV result.color, 0.0;
END
[vertex data]
vertex.position/float/2
2 2
3 2
2 3
[test]
clear
draw arrays GL_TRIANGLES 0 3
EOT
    } >"$work/columns.shader_test"
    liar "$work/columns.shader_test"
    equals "a draw of which the reference drew nothing" 1 "$status"
    says "differs in what is covered" "pixel 1,0: the reference discards this fragment, the driver keeps it"
else
    skip "a driver that lies" "$B/tests/liar is not built"
fi

# ---- the machine's own driver ----

fragment() {
    { cat <<'EOT'
[require]
SIZE 16 8
[vertex program]
!!ARBvp1.0
OPTION ARB_position_invariant;
MOV result.texcoord[1], program.env[0];
END
[fragment program]
!!ARBfp1.0
TEMP r;
SUB r, fragment.texcoord[1], program.local[0];
KIL r.x;
MOV result.color, program.local[1];
END
[test]
EOT
      cat; } >"$work/$1.shader_test"
}
# In the manner of piglit: several rectangles, some discarded, one window.
fragment rectangles <<<'ortho 0 1 0 1
clear color 0.25 0.25 0.25 0.25
clear
parameter env_vp 0 (0.5, 0.0, 0.0, 0.0)
parameter local_fp 0 (0.0, 0.0, 0.0, 0.0)
parameter local_fp 1 (0.0, 1.0, 0.0, 1.0)
draw rect 0 0 1 1
parameter local_fp 1 (2.0, 0.0, 0.0, 1.0)
draw rect 0.5 0 0.5 0.5
parameter local_fp 0 (1.0, 0.0, 0.0, 0.0)
parameter local_fp 1 (0.0, 0.0, 1.0, 1.0)
draw rect 0 0 1 1
probe rgba 0 0 0.0 1.0 0.0 1.0
relative probe rgba (0.75, 0.25) (1.0, 0.0, 0.0, 1.0)
relative probe rect rgb (0.0, 0.5, 1.0, 0.5) (0.0, 1.0, 0.0)
probe covered 15 7'
ends 0 "rectangles on the reference" --driver=none "$work/rectangles.shader_test"
fragment outside <<<'clear
draw rect -1 -1 1 2
probe discarded 8 0
probe covered 7 7
probe rgba 15 7 0 0 0 0'
ends 0 "a rectangle covers its own pixels" --driver=none "$work/outside.shader_test"
fragment wrong_pixel <<<'clear
draw rect -1 -1 2 2
probe rgba 3 2 0 0 0 1'
ends 1 "a wrong colour" --driver=none "$work/wrong_pixel.shader_test"
says "is shown with its pixel" "color 0, pixel 3,2 .w: expected 0x3f800000  1"

# Textures as piglit writes them.
cat >"$work/textures.shader_test" <<'EOT'
[require]
SIZE 16 16
[fragment program]
!!ARBfp1.0
TEMP a, b;
TEX a, fragment.texcoord[0], texture[0], 2D;
TEX b, fragment.texcoord[0], texture[2], 2D;
MUL result.color, a, b;
END
[test]
texture rgbw 0 (8, 8)
texture checkerboard 2 0 (4, 4) (0.5, 0.5, 0.5, 1.0) (1.0, 1.0, 1.0, 1.0)
texparameter 2D wrap_s clamp_to_edge
clear
draw rect tex -1 -1 2 2 0 0 1 1
probe rgba 0 0 0.5 0 0 1
probe rgba 15 0 0 1 0 1
probe rgba 0 15 0 0 1 1
probe rgba 15 15 0.5 0.5 0.5 1
texture 0 RECT R32F 4 4 ramp f32 16 0 0.0625
EOT
ends 0 "piglit's textures on the reference" --driver=none "$work/textures.shader_test"
says "are probed" "16 components hold"
{ sed -n '1,/^\[test\]/p' "$work/textures.shader_test"; 
  printf 'clear\ndraw rect tex -1 -1 2 2 0 0 1 1\nprobe rgba 0 0 0 0 0 1\nsampler 2 mag linear\n'; } \
    >"$work/sampler.shader_test"
ends 2 "a sampler of a texture that is not there" --driver=none "$work/sampler.shader_test"

run examples/spotlight.shader_test
if [ "$status" = 77 ]; then
    skip "live comparison" "$(head -n 1 "$work/out")"
else
    equals "an ARB fragment program against the driver of this machine" 0 "$status"
    says "every component is compared" "256 components: "
    says "and within the rule that the script has" " 0 different"
    ends 0 "KIL likewise" examples/cutout.shader_test
    ends 0 "and textures" "$work/textures.shader_test"
    says "every component of them" "1024 components: 1024 the same bits"
    ends 0 "and rectangles" "$work/rectangles.shader_test"
    ends 0 "the driver's results are kept" --record="$work/live.full" "$work/rectangles.shader_test" \
        examples/cutout.shader_test
    ends 0 "and replayed" --replay="$work/live.full" "$work/rectangles.shader_test" examples/cutout.shader_test
    says "under the driver's name" "recorded in $work/live.full"
    sed 's/env_vp 0 (0.5/env_vp 0 (0.75/' "$work/rectangles.shader_test" >"$work/inputs.shader_test"
    ends 2 "a replay with other inputs is refused" --replay="$work/live.full" "$work/inputs.shader_test"
    says "and says so" "but not with these inputs"
    sed 's/MOV result.color/ADD result.color, r/; s/, program.local\[1\];/, -r;/' "$work/rectangles.shader_test" \
        >"$work/program.shader_test"
    ends 2 "a replay of another program is refused" --replay="$work/live.full" "$work/program.shader_test"
    says "and says so, too" "but not with this program"
    head -c 700 "$work/live.full" >"$work/cut.full"
    ends 2 "a recording that was cut" --replay="$work/cut.full" "$work/rectangles.shader_test"
    says "is named with its line" "cut.full:" err
    sed 's/3f800000/3f800001/' "$work/live.full" >"$work/changed.full"
    ends 2 "a recording that was changed" --replay="$work/changed.full" "$work/rectangles.shader_test"
    says "is seen to be" "the recording was changed" err
    ln -s live.full "$work/link.full"
    ends 0 "a recording through a link" --record="$work/link.full" "$work/rectangles.shader_test"
    check "keeps the link" test -L "$work/link.full"
    ends 0 "and replaces what it leads to" --replay="$work/live.full" "$work/rectangles.shader_test"
    mkfifo "$work/pipe.full"
    timeout 60 cat "$work/pipe.full" >"$work/piped.full" &
    ends 0 "a recording into a pipe" --record="$work/pipe.full" "$work/rectangles.shader_test"
    wait $!
    check "keeps the pipe" test -p "$work/pipe.full"
    check "and arrives whole" cmp "$work/live.full" "$work/piped.full"
    ends 2 "a recording into nowhere" --record=/nonexistent/x "$work/rectangles.shader_test"
    sed 's/^SIZE/GL_NO_such_extension\nSIZE/' "$work/rectangles.shader_test" >"$work/required.shader_test"
    ends 77 "a driver without what the test requires" "$work/required.shader_test"
    says "is not asked" "the driver has no GL_NO_such_extension"
fi
ends 2 "a replay of a file that is not there" --replay="$work/none" "$work/good.shader_test"
printf 'no recording\n' >"$work/text"
ends 2 "a replay of some text" --replay="$work/text" "$work/good.shader_test"
says "which is told" "not a gp5 recording" err

# ---- reports ----

ends 1 "TAP" --driver=none --tap "$work/good.shader_test" "$work/bad.shader_test" \
    "$work/skipped.shader_test"
equals "has a line a test, and its plan" "ok 1 - $work/good.shader_test
not ok 2 - $work/bad.shader_test
ok 3 - $work/skipped.shader_test # SKIP line 13, column 1: this command is not supported yet
1..3" "$(grep -v '^#' "$work/out")"
ends 1 "JUnit" --driver=none --junit="$work/junit.xml" "$work/good.shader_test" "$work/bad.shader_test" \
    "$work/skipped.shader_test"
check "has its counts" grep -q 'tests="3" failures="1" errors="0" skipped="1"' "$work/junit.xml"
check "and the finding, escaped" grep -q 'expected 0x00000007  7, reference has 0x00000006' "$work/junit.xml"
ends 2 "JUnit into nowhere" --driver=none --junit=/nonexistent/x "$work/good.shader_test"
ends 0 "JSON" --driver=none --json "$work/good.shader_test"
says "has the counts" '"probes":8,"probes_undefined":0'

# ---- the driver gets a translation ----

cat >"$work/translated.shader_test" <<'EOT'
[require]
SIZE 16 16
GL_NV_vertex_program2_option
GL_NV_fragment_program2
[vertex program]
!!ARBvp1.0
OPTION NV_vertex_program2;
PARAM c = program.env[1];
TEMP a;
MOVC a, vertex.texcoord[0];
MOV result.position, vertex.position;
MOV result.texcoord[0] (EQ.x), program.local[0];
MOV result.texcoord[0] (NE.x), c;
MOV result.color, vertex.color;
END
[fragment program]
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a;
MOV a, fragment.texcoord[0];
REP {3, 0, 0, 0};
ADD a.x, a.x, program.env[3].x;
ENDREP;
MOV result.color, a;
END
[test]
clear color 0 0 0 0
clear
parameter env_vp 1 (0.25, 0.5, 0.75, 1.0)
parameter local_vp 0 (0.125, 0.25, 0.5, 1.0)
parameter env_fp 3 (0.125, 0, 0, 0)
draw rect tex -1 -1 2 2 1 1 0 0
probe rgba 3 3 0.625 0.5 0.75 1
EOT
run --translate=glsl450compat "$work/translated.shader_test"
if [ "$status" = 77 ]; then
    skip "a script whose programs are translated" "$(head -n 1 "$work/out")"
else
    ends 0 "a script of NVIDIA's options, as GLSL" --translate=glsl450compat "$work/translated.shader_test"
    says "is told to be given to the driver so" ", given glsl450compat"
    says "and is the same" "1024 components: 1024 the same bits, 0 by rule, 0 different"
    says "read by the text" "spec semantics"
    ends 0 "and as GLSL 1.20" --json --translate=glsl120 "$work/translated.shader_test"
    says "which JSON tells" '"language":"glsl120"'
    sed 's/0.625 0.5/0.5 0.5/' "$work/translated.shader_test" >"$work/other.shader_test"
    ends 1 "a probe of it that does not hold" --translate=glsl120 "$work/other.shader_test"
    says "fails on both sides" "probe of the driver, color 0, pixel 3,3 .x"
    ends 0 "rectangles of one fragment program" --translate=glsl120 "$work/rectangles.shader_test" \
        "$work/textures.shader_test" examples/spotlight.shader_test examples/cutout.shader_test
    says "all of them" "4 passed, 0 failed"
    sed '/^probe/d; s/= program.env\[1\]/= state.matrix.program[0].row[1]/' "$work/translated.shader_test" \
        >"$work/state.shader_test"
    ends 77 "state that is no built-in skips" --translate=glsl120 "$work/state.shader_test"
    says "and says so" "not translated: state.matrix.program[0].row[1] is no built-in"
    sed '/^probe/d; s/^MOV a, fragment.texcoord.*/PK2H a.x, fragment.texcoord[0];/' "$work/translated.shader_test" \
        >"$work/packs.shader_test"
    ends 77 "so does what cannot be said" --translate=glsl120 "$work/packs.shader_test"
    says "with its line" "not translated: line 20: PK2H"
fi
ends 2 "a language without the fixed function" --translate=glsl330 "$work/rectangles.shader_test"
says "is none here" "the language is glsl120 or glsl450compat, not 'glsl330'" err

# ---- what real drivers gave ----

replays() {
    local recording=tests/recordings/$1
    shift
    if [ -f "$recording" ]; then
        run --replay="$recording" "$@"
        equals "$recording is what the evaluator gives" 0 "$status"
        [ "$status" = 0 ] ||
            note "$(awk '/^[A-Z]/ { shown = !/^PASS/ } shown' "$work/out" | head -n 60; tail -n 5 "$work/err")"
        note "$(tail -n 1 "$work/out")"
    else
        skip "$recording" "not recorded yet"
    fi
}
replays asm.full tests/suites/asm*.shader_test
if [ -f tests/recordings/asm.full ]; then
    ends 0 "components that differ from GPU to GPU are left out" --replay=tests/recordings/asm.full \
        tests/suites/asm_hardware.shader_test
    says "and counted" "0 different, 256 undefined"
    says "with the reason" "differs from one GPU to the next"
    ends 1 "unless --strict asks for them" --strict --replay=tests/recordings/asm.full \
        tests/suites/asm_hardware.shader_test
fi
replays shuffle.full tests/suites/shuffle_table.shader_test tests/suites/shuffle_few.shader_test
replays shuffle.digest tests/suites/shuffle_sweep.shader_test tests/suites/shuffle_words.shader_test
replays examples.full examples/*.shader_test
replays launch.full tests/suites/launch/*.shader_test
# Drivers differ in what stands where a fragment program writes no colour: NVIDIA's keeps the pixel, llvmpipe leaves
# anything (gl4es, issue 366). Precisions and signs of OPTION NV_fragment_program2 (ixit, issue 199).
ends 0 "a colour that nothing writes is undefined" --driver=none tests/suites/fragment/depth_only.shader_test
says "and why" "64 from line 10: result.color was never written"
run --driver=egl-surfaceless tests/suites/fragment/depth_only.shader_test
if [ "$status" = 77 ]; then
    skip "and it is not compared" "no driver"
else
    equals "and it is not compared" 0 "$status"
fi
ends 0 "a program of NV_fragment_program2" --driver=none tests/suites/fragment/nv_fragment_program2.shader_test
for recording in tests/recordings/*.full; do
    [ -f "$recording" ] || continue
    check "$recording is below 1 MB" test "$(wc -c <"$recording")" -lt 1000000
done
done_testing
