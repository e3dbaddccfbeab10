/* Where the readings of the language part: valid for one and not for another. Said in a note to those who ask for
 * either. */
#include "asm/check/check_internal.h"

#include <string.h>

static const struct diag *first_error(const struct diags *d, unsigned targets)
{
    const struct diag *first = NULL;
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *diag = &d->list[i];
        if (diag->severity == DIAG_ERROR && diag->targets & targets && (!first || diag->position < first->position))
            first = diag;
    }
    return first;
}

/* What is said of a driver: to those who ask for it, and to those who ask for the specification, whose own error is not
 * said twice. Returns whether it takes what the specification refuses, at *span. */
static bool note(struct gp5_program *program, unsigned driver, const char *name, struct span *span)
{
    const struct diag *by_text = first_error(&program->diags, FOR_SPEC),
                      *by_driver = first_error(&program->diags, driver);
    if (!by_text == !by_driver)
        return false;
    bool takes = !by_driver;
    const struct diag *error = takes ? by_text : by_driver;
    char message[200];
    snprintf(message, sizeof message, "%s", error->message);    /* the list moves when one is added */
    *span = error->span;
    if (!takes) {
        diag_add(&program->diags, DIAG_NOTE, driver, *span, "by the specification it is valid");
        bool named = strncmp(message, name, strlen(name)) == 0;
        diag_add(&program->diags, DIAG_NOTE, FOR_SPEC, *span, "valid by the specification; %s%s%s",
                 named ? "" : name, named ? "" : " refuses it: ", message);
    } else if (!(program->options >> OPTION_NV_internal & 1)) {     /* with it the author says so */
        diag_add(&program->diags, DIAG_NOTE, driver, *span, "%s takes it; by the specification it is an error: %s",
                 name, message);
    }
    return takes;
}

void check_differences(struct gp5_program *program)
{
    struct span span = {0, 0};
    bool nvidia = note(program, FOR_DRIVER, "NVIDIA's driver", &span),
         mesa = profile_table[program->profile].generation == GEN_ARB && note(program, FOR_MESA, "Mesa", &span);
    if (nvidia || mesa)
        diag_add(&program->diags, DIAG_NOTE, FOR_SPEC, span, "%s",
                 nvidia && mesa ? "NVIDIA's driver and Mesa take it" :
                 nvidia ? "NVIDIA's driver takes it" : "Mesa takes it");
}
