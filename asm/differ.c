/* Where the readings of the language part: valid for one and not for another. Said in a note to those who ask for
 * either. */
#include "asm/check_internal.h"

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

static void note(struct gp5_program *program, unsigned driver, const char *name)
{
    const struct diag *by_text = first_error(&program->diags, FOR_SPEC),
                      *by_driver = first_error(&program->diags, driver);
    if (!by_text == !by_driver)
        return;
    if (by_driver) {            /* the message moves when one is added: what is needed of it is copied */
        struct span span = by_driver->span;
        diag_add(&program->diags, DIAG_NOTE, driver | FOR_SPEC, span, "valid by the specification; %s refuses it",
                 name);
        return;
    }
    bool known = program->options >> OPTION_NV_internal & 1;    /* its author says so */
    char message[200];
    struct span span = by_text->span;
    snprintf(message, sizeof message, "%s", by_text->message);
    diag_add(&program->diags, DIAG_NOTE, known ? FOR_SPEC : driver | FOR_SPEC, span,
             "%s takes it; by the specification it is an error: %s", name, message);
}

void check_differences(struct gp5_program *program)
{
    note(program, FOR_DRIVER, "NVIDIA's driver");
    if (profile_table[program->profile].generation == GEN_ARB)
        note(program, FOR_MESA, "Mesa");
}
