#!/bin/sh
# `apitrace dump` prints floats with seven digits, which two neighbours share: parameters of programs that are 2^24 and
# 1/3 come out as 1.677722e+07 and 0.3333333, and both read back as other floats. -0 keeps its sign. The trace has all
# bits; tests that are made from dumps have not. Expected: nine digits, or the shortest that reads back.
. "$(dirname "$0")/common.inc"
. "$here/mesa.inc"
package apitrace=11.1+repack-1.1+b2 apitrace-tracers=11.1+repack-1.1+b2
package libwaffle-1-0 libproc2-0 libbrotli1 libpng16-16 >/dev/null

export TRACE_FILE=$work/out.trace
gl parameters >/dev/null <<'C'
#include "gl.h"

int main(void)
{
    open_context();
    bind_program(GL_FRAGMENT_PROGRAM_ARB, 1);
    local_parameter(GL_FRAGMENT_PROGRAM_ARB, 0, 16777216, 1.0f / 3, -0.0f, 0.5f);
    glFinish();
    return 0;
}
C
LD_PRELOAD=$LD_LIBRARY_PATH/apitrace/wrappers/egltrace.so "$work/parameters" >/dev/null 2>&1
seen 'glProgramLocalParameter4fARB(..., 0, 16777216, 1.0f / 3, -0.0f, 0.5f)' \
    'x = 1.677722e+07, y = 0.3333333, z = -0, w = 0.5' \
    "$("$work/usr/bin/apitrace" dump --color=never "$TRACE_FILE" |
        sed -n 's/.*LocalParameter4f.*index = 0, \(.*\))/\1/p')"
