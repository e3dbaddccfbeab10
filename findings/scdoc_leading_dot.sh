#!/bin/sh
# A line of a paragraph that begins with a dot and a letter loses the dot in scdoc, with no word and status 0: a page
# that wraps in front of ".shader_test" says "shader_test". A dot and a blank begin a numbered item. roff's own control
# character is guarded against, by leaving it out. Expected: the dot, behind \&.
. "$(dirname "$0")/common.inc"
package scdoc=1.11.2-1

seen 'files named / .shader_test are read' 'files named
shader_test are read' "$(printf 'page(1)\n\n# FILES\n\nfiles named\n.shader_test are read\n' |
    "$work/usr/bin/scdoc" | tail -n 2)"
seen "a quote in the same place" "files named
\\&'\\&quoted'\\& are read" "$(printf "page(1)\n\n# FILES\n\nfiles named\n'quoted' are read\n" |
    "$work/usr/bin/scdoc" | tail -n 2)"
