/* How a run ends early: the first failure of a worker counts. */
#include "eval/machine/warp_state.h"

#include <stdarg.h>
#include <stdio.h>

void eval_fail(struct warp *w, enum gp5_run_status status, uint32_t insn, const char *format, ...)
{
    struct worker *worker = w->worker;
    va_list args;

    if (worker->status != GP5_RUN_OK)
        return;
    worker->status = status;
    worker->failed_insn = insn;
    va_start(args, format);
    vsnprintf(worker->message, sizeof worker->message, format, args);
    va_end(args);
}
