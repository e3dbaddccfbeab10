#!/bin/sh
# The command and the library run on a machine without any GL or window system library, and the library shows its public
# interface alone.
. tests/cli/tap.inc
B=${B:-build}
window='GL|EGL|GLX|OpenGL|GLES|GLEW|glfw|X11|xcb|Xext|wayland|drm|gbm'

needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[lib\(.*\)\.so.*/\1/p'; }
loaded() { ldd "$1" | sed -n 's/^[[:space:]]*lib\([^ ]*\)\.so.*/\1/p'; }
free_of_windows() { ! { needed "$1"; loaded "$1"; } | grep -E "^($window)([-.0-9]|$)"; }

for file in gp5 libgp5.so; do
    check "$file links no GL or window system library" free_of_windows "$B/$file"
    check "$file can be looked at" test -n "$(needed "$B/$file")"
done
# The same look at the worker finds them: so it is able to.
if [ -x "$B/gp5-gl-worker" ]; then
    if free_of_windows "$B/gp5-gl-worker" >/dev/null; then not_ok "the worker links GL";
        else ok "the worker links GL"; fi
fi

equals "the soname" libgp5.so.0 "$(readelf -d "$B/libgp5.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')"
if [ "${SAN:-0}" = 1 ]; then
    skip "libgp5.so exports the public interface alone" "a sanitizer adds symbols"
else
    nm -D --defined-only "$B/libgp5.so" | sed -n 's/.* \(gp5_[^ ]*\)@@GP5_[0-9.]*$/\1/p' | sort >"$work/exported"
    # Every GP5_API declaration, its name being the word before the first parenthesis.
    cat include/*.h | tr '\n' ' ' | sed 's/GP5_API/\n&/g' | sed -n 's/^GP5_API[^(]*[ *]\(gp5_[a-z0-9_]*\)(.*/\1/p' |
        sort >"$work/declared"
    check "something is declared" test -s "$work/declared"
    check "libgp5.so exports the public interface, all of it and nothing else" diff "$work/declared" "$work/exported"
    equals "each with the version that brought it" "$(wc -l <"$work/declared")" \
        "$(nm -D --defined-only "$B/libgp5.so" | grep -c ' T ')"
    nm -g --defined-only "$B/libgp5.a" | sed -n 's/^[0-9a-f]* [A-Z] //p' | sort >"$work/exported"
    check "and so does libgp5.a" diff "$work/declared" "$work/exported"
fi
done_testing
