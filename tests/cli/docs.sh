#!/bin/sh
# The documents: at most nine pages, lines of at most 120 columns, and all that they refer to is there: links, files,
# tests, recordings and the rows that they name (`flow:count_*` is the rows count_... of tests/recordings/flow.*).
. tests/cli/tap.inc
manifest=tests/recordings/README.md

check "docs/ has at most nine pages" test "$(ls docs/*.md | wc -l)" -le 9
long=$(awk '/^```/ { fence = !fence } length > 120 && !fence { print FILENAME ":" FNR }' docs/*.md README.md $manifest)
equals "no line of a document is longer than 120 columns" "" "$long"

# Headings as links name them: lower case, blanks as -, nothing else but letters, digits, _ and -.
anchors() {
    sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
for page in README.md docs/*.md $manifest; do
    folder=$(dirname "$page") gone=
    for link in $(sed '/^```/,/^```/d; s/`[^`]*`//g' "$page" | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//' |
        sort -u); do
        case $link in http*) continue ;; '#'*) file=$page ;; *) file=$folder/${link%%#*} ;; esac
        [ -e "$file" ] || { gone="$gone $link"; continue; }
        case $link in *'#'*) anchors "$file" | grep -qxF -e "${link#*#}" || gone="$gone $link" ;; esac
    done
    # Files in `...`; capitals stand for any name.
    for name in $(grep -oE '`(asm|cli|compare|docs|eval|examples|gl|include|lexer|model|parser|tests)/[^` ]*`' "$page" |
        tr -d '`' | sed 's/NAME/*/g' | sort -u); do
        ls -d $name >/dev/null 2>&1 || gone="$gone $name"
    done
    for name in $(grep -oE '`test_[a-z0-9_]+`' "$page" | tr -d '`' | sort -u); do
        [ -n "$(find tests -name "$name.c")" ] || gone="$gone $name"
    done
    equals "what $page refers to is there" "" "$gone"
done

# Passes of the compiler's model name the place that has their facts.
if [ -f model/passes.def ]; then
    gone=
    for link in $(grep -oE '"[a-z]+\.md#[a-z0-9_-]+"' model/passes.def | tr -d '"' | sort -u); do
        [ -e "docs/${link%%#*}" ] && anchors "docs/${link%%#*}" | grep -qxF -e "${link#*#}" || gone="$gone $link"
    done
    equals "the places that passes.def names are there" "" "$gone"
fi

# Rows of recordings: those that the manifest lists; a row's name stands in the recording, or in the patterns that it
# was made of.
listed=$(sed -n 's/^| `\([a-z0-9_]*\)\(\.[^`]*\)*` |.*/\1/p' $manifest | sort -u)
check "the manifest lists recordings" test "$(echo "$listed" | wc -l)" -ge 20
for name in $listed; do
    check "the recording $name is there" test -n "$(find tests/recordings -name "$name" -o -name "$name.*")"
done
gone=$(cat docs/*.md | grep -oE '`[a-z0-9_]+:[A-Za-z0-9_/*]+`' | tr -d '`' | sort -u | while IFS=: read -r name rows; do
    echo "$listed" | grep -qx "$name" || { echo "$name"; continue; }
    for file in $(find tests -name "$name.txt" -o -name "$name.txt.xz" -o -name "$name.jsonl.xz" -o -name \
        "$name.full"); do
        case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac
    done | grep -qE "(^|^[a-z]+ |\"case\": *\"|\[|/)${rows%%\**}" || echo "$name:$rows"
done)
equals "the rows that documents name are there" "" "$gone"
done_testing
