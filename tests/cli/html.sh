#!/bin/bash
# gp5 compare --html: a page that is well-formed, whose links all lead somewhere, that names nothing outside of its
# folder, and that a browser shows (with LONG=1, where there is chromium).
# cost: 3
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc

mkdir "$work/tests"
cat >"$work/tests/disc.shader_test" <<'EOT'
[require]
SIZE 60 45
[fragment program]
!!ARBfp1.0
# liar: honest
TEMP d, c;
SUB d, fragment.texcoord[0], 0.5;
MUL d, d, d;
ADD d.x, d.x, d.y;
SUB d.x, 0.2, d.x;
KIL d.x;
MOV c.xyz, fragment.texcoord[0];
MOV result.color, c;
END
[test]
clear color 0 0 0 0
clear
interpolate texcoord 0 (0, 0, 0, 1) (1, 0, 0, 1) (0, 1, 0, 1) (1, 1, 0, 1)
draw rect -1 -1 2 2
EOT
sed 's/105 120 136/105 121 136/' examples/scan.shader_test >"$work/tests/<b>&\"wrong'.shader_test"
printf '[compute program]\n!!NVcp5.0\nGROUP_SIZE 1;\nEND\n[test]\n<script>alert(1)</script>\n' \
    >"$work/tests/error.shader_test"
printf '[compute program]\n!!NVcp5.0\nGROUP_SIZE 1;\n# \377\300\200 \001 </pre>\nEND\n[test]\ncompute 1 1 1\n' \
    >"$work/tests/bytes.shader_test"
cp examples/spotlight.shader_test examples/cutout.shader_test "$work/tests"
mkdir "$work/tests/list"
printf '!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 1;\nSTORAGE s[] = { program.storage[0] };\n'\
'STB.U32 {5}.x, s[0];\nEND\n' >"$work/tests/list/five.cp"
printf '[compute program files]\nfive.cp\n[test]\nstorage 0 zero 4\ncompute 1 1 1\nprobe storage 0 0 u32 6\n' \
    >"$work/tests/list/list.shader_test"

if [ -x "$B/tests/liar" ]; then
    export GP5_GL_WORKER=$B/tests/liar
    how=egl
else
    how=none
fi
"$GP5" compare --driver=$how --html="$work/page" "$work"/tests/*.shader_test "$work/tests/list/list.shader_test" \
    "$work/tests/disc.shader_test" >"$work/out" 2>&1
equals "the status is that of the tests" 2 $?
"$GP5" compare -j3 --driver=$how --html="$work/again" "$work"/tests/*.shader_test "$work/tests/list/list.shader_test" \
    "$work/tests/disc.shader_test" >/dev/null 2>&1
unset GP5_GL_WORKER
page=$work/page/index.html
check "there is a page" test -s "$page"
check "the same of the same results, whatever -j" diff -r "$work/page" "$work/again"
equals "a section a test" "$(grep -cE '^(PASS|FAIL|SKIP|ERROR) ' "$work/out")" \
    "$(grep -c '<details class="test ' "$page")"
for word in FAIL ERROR; do check "one is $word" grep -q "<b>$word</b>" "$page"; done
check "why one is skipped or an error is said" grep -q 'class=why>line 6, column 1: no such command' "$page"
equals "nothing of a test is a tag" 0 "$(grep -c '<script\|<b>&"\|</pre>.*END' "$page")"
check "but shows" grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' "$page"
check "a file's name too" grep -q '&lt;b&gt;&amp;&quot;wrong&#39;.shader_test' "$page"
equals "no script and nothing from elsewhere" 0 "$(grep -ciE '<script|<link|<iframe|@import|url\(|https?:|src="?/' \
    "$page")"
check "the guilty line is marked" grep -q 'class="l stores".*STB.U32.*writes what differs' "$page"
if [ $how = egl ]; then
    check "pictures of both sides and where they differ" test -s "$work/page/$(
        grep -o 'src="[^"]*-difference.png"' "$page" | head -n 1 | sed 's/src="//; s/"//')"
    check "a mask of what is undefined" grep -q 'src="[^"]*-undefined.png"' "$page"
    check "where a value became undefined" grep -q 'class="l undefined".*undefined from here' "$page"
fi

# A draw into several colours has a picture of each.
"$GP5" compare --driver=none -v --html="$work/colours" tests/suites/draw/buffers.shader_test >/dev/null 2>&1
equals "a picture of each colour" "reference-1.png reference-2.png reference.png" \
    "$(cd "$work/colours" && ls *.png | sed 's/.*test-//' | xargs)"

# A recording whose words differ a little, much and as NaN: a cell each in a map, and a row in the table below.
if [ $how = egl ]; then
    cat >"$work/map.shader_test" <<'EOT'
[compute program]
!!NVcp5.0
OPTION NV_shader_storage_buffer;
# liar: wrong
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP t;
MUL.U t.x, invocation.localid.x, 4;
I2F.U t.y, invocation.localid.x;
STB.F32 t.y, s[t.x];
END
[test]
storage 0 zero 128
layout storage 0 f32 1 lane
compute 1 1 1
probe storage 0 20 f32 6
EOT
    GP5_GL_WORKER=$B/tests/liar "$GP5" compare --driver=egl --record="$work/lie" "$work/map.shader_test" >/dev/null 2>&1
    i=0
    sed -n '/^storage/q; p' "$work/lie" >"$work/told"
    { echo "storage 0 words 128"
      for word in 00000000 3f800000 40000000 40400000 40800000 40a00000 40c00000 40e00000 \
          41000001 41100000 41200000 41300000 41400000 41500000 41600000 41700000 \
          41800000 41880000 41900000 41980000 41a00000 41a80000 41b00000 41b80000 \
          7fc00000 41c80000 41d00000 41d80000 41e00000 41e80000 41f00000 40000000; do
          i=$((i + 1))
          printf %s "$word"
          if [ $((i % 8)) = 0 ]; then echo; else printf ' '; fi
      done
      printf '\nend 1 '; } >>"$work/told"
    sha256sum <"$work/told" | cut -c1-64 >"$work/hash"
    cat "$work/hash" >>"$work/told"
    "$GP5" compare --replay="$work/told" --html="$work/maps" "$work/map.shader_test" >"$work/out" 2>&1
    equals "words of a recording differ" 1 $?
    map=$work/maps/index.html
    equals "a cell is marked for each that differs, by how far, and one whose probe fails" "2 5 5 7" \
        "$(grep -oE '<a class=m[2-7]' "$map" | grep -oE '[2-7]' | sort | tr '\n' ' ' | sed 's/ $//')"
    equals "and the others are alike, a row of them one element" "5 2 15 6" \
        "$(sed -n 's/<i class=m0 style="grid-column:span \([0-9]*\)/\n=\1\n/gp' "$map" | sed -n 's/^=//p' | xargs)"
    equals "the table has them, by the layout's names" "4" "$(grep -c '^<tr id=.*-storage-0-[0-9]*>.* lane<td>' "$map")"
    check "both sides' values stand there" \
        grep -q '<td>8 lane<td>0x41000000  8.*<td>0x41000001  8.*its last bits' "$map"
    "$GP5" compare --driver=none --html="$work/maps" examples/scan.shader_test >/dev/null 2>&1
    equals "what passed has none" 0 "$(grep -c 'class=map' "$map")"
fi

# Each anchor is there once, each link leads to one, each picture is a file.
grep -oE ' id=[A-Za-z0-9_-]+' "$page" | sed 's/ id=//' | sort >"$work/ids"
equals "no anchor twice" "" "$(uniq -d "$work/ids")"
grep -oE 'href="#[^"]*"' "$page" | sed 's/href="#//; s/"//' | sort -u >"$work/links"
check "there are links" test "$(wc -l <"$work/links")" -gt 20
equals "every link leads to an anchor" "" "$(comm -13 "$work/ids" "$work/links")"
for file in $(grep -oE '(src|href)="[^#"][^"]*"' "$page" | sed 's/.*="//; s/"//' | sort -u); do
    [ -f "$work/page/$file" ] || echo "$file"
done >"$work/gone"
equals "every picture is there" "" "$(cat "$work/gone")"
if command -v python3 >/dev/null; then
    check "elements are nested as they should be, all of it is UTF-8" python3 - "$page" <<'PYTHON'
import html.parser, sys
void, optional = {"meta", "img", "br"}, {"tr": {"td"}, "td": set(), "li": set()}
class Parser(html.parser.HTMLParser):
    stack = []
    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag in ("tr", "td", "li"):
            ends = {"td": ("td",), "tr": ("td", "tr"), "li": ("li",)}[tag]
            while self.stack and self.stack[-1] in ends: self.stack.pop()
        if tag not in void: self.stack.append(tag)
    def handle_endtag(self, tag):
        while self.stack[-1] in ("td", "tr", "li") and tag in ("table", "ol"): self.stack.pop()
        assert self.stack.pop() == tag, (tag, self.getpos())
text = open(sys.argv[1], "rb").read().decode("utf-8")
assert not any(ord(c) < 32 and c not in "\n\t" for c in text)
parser = Parser(convert_charrefs=True)
parser.feed(text)
parser.close()
assert parser.stack == [], parser.stack
PYTHON
else
    skip "elements are nested as they should be, all of it is UTF-8" "no python3"
fi

printf 'no folder' >"$work/file"
"$GP5" compare --driver=none --html="$work/file" examples/scan.shader_test >/dev/null 2>"$work/err"
equals "a file in place of the folder" 2 $?
"$GP5" compare --driver=none --html="$work/no/where" examples/scan.shader_test >"$work/out" 2>"$work/err"
equals "a folder of a folder that is not there" 2 $?
check "says so" grep -q 'gp5: .*/no/where: No such file or directory' "$work/err"
equals "before a test is run" "" "$(cat "$work/out")"
mkdir -p "$work/taken/index.html"
"$GP5" compare --driver=none --html="$work/taken" examples/scan.shader_test >"$work/out" 2>"$work/err"
equals "a folder in place of the page" 2 $?
check "says so" grep -q 'gp5: .*/taken: index.html: Is a directory' "$work/err"
equals "before a test is run, too" "" "$(cat "$work/out")"

# ---- a browser: a copy of the page looks at itself when it is loaded -------------------------------------------------
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ "${LONG:-0}" = 0 ]; then
    skip "a browser shows the page" "make check-long opens one"
elif [ -z "$browser" ]; then
    skip "a browser shows the page" "there is no chromium"
else
    browse() { HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files \
        --virtual-time-budget=20000 "$@" 2>"$work/log"; }
    cat >"$work/look.js" <<'EOT'
<script>
addEventListener("load", async () => {
    const say = [], images = [...document.images];
    for (const image of images) image.loading = "eager";
    await Promise.all(images.map(image => image.decode().catch(() => say.push("no picture " + image.src))));
    for (const link of document.links) {
        const place = link.getAttribute("href");
        if (place[0] == "#" && !document.getElementById(place.slice(1))) say.push("no anchor " + place);
    }
    for (const image of images)
        if (image.naturalWidth == 0) say.push("empty picture " + image.src);
    const seen = [...document.querySelectorAll("details.test")].filter(e => e.getBoundingClientRect().height > 10);
    say.push(images.length + " pictures, " + seen.length + " tests");
    document.title = "looked: " + say.join("; ");
});
</script>
EOT
    cat "$page" "$work/look.js" >"$work/page/look.html"
    browse --dump-dom "file://$work/page/look.html" >"$work/dom"
    equals "a browser shows every picture and every test, and every link leads somewhere" \
        "looked: $(grep -o '<img ' "$page" | wc -l) pictures, $(grep -c '<details class="test ' "$page") tests" \
        "$(grep -o 'looked: [^<]*' "$work/dom" | head -n 1)"
    rm "$work/page/look.html"
    browse --window-size=1000,1200 --screenshot="$work/shot.png" "file://$page" >/dev/null
    check "and it is no empty picture" test "$(wc -c <"$work/shot.png")" -gt 30000
fi
done_testing
