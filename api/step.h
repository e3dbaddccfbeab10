/* A public observer as the evaluator's: step.c. */
#ifndef GP5_API_STEP_H
#define GP5_API_STEP_H

#include "eval/decode/prepare.h"

struct step_watch {
    struct gp5_observer given;
    struct eval_observer observer;
    bool stop;
};

/* `watch` lives as long as what is returned. */
const struct eval_observer *step_watch(struct step_watch *watch, const struct gp5_observer *given);

#endif
