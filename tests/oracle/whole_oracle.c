#include "tests/oracle/whole_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/oracle/oracle.h"

static void run(const gp5_program *program, const struct whole_case *c, enum gp5_semantics semantics,
                struct oracle_buffer *storage, struct whole_answer *a)
{
    static bool none[WHOLE_CONSTANTS];
    uint8_t words[WHOLE_CONSTANTS];
    struct oracle_buffer constants[2];
    struct gp5_parameter local[4];
    struct oracle_launch launch = {.groups = {c->groups[0], c->groups[1], c->groups[2]},
                                   .storage = storage,
                                   .constants = constants,
                                   .nstorage = WHOLE_BUFFERS,
                                   .nconstants = 2,
                                   .local = local,
                                   .nlocal = 4};
    struct oracle_outcome outcome;
    memcpy(words, c->constants, sizeof words);
    for (unsigned i = 0; i < 2; i++)
        constants[i] = (struct oracle_buffer){i, words, sizeof words, none};
    for (unsigned i = 0; i < 4; i++) {
        local[i].index = i;
        memcpy(local[i].word, c->local[i], sizeof local[i].word);
    }
    oracle_run(program, semantics, &launch, &outcome);
    a->uses = outcome.uses;
    a->tells_open = true;
    a->status = outcome.status == ORACLE_RAN             ? WHOLE_RAN
                : outcome.status == ORACLE_NOT_EVALUATED ? WHOLE_REFUSED
                                                         : WHOLE_FAILED;
    memcpy(a->why, outcome.message, sizeof outcome.message);
    for (unsigned i = 0; i < WHOLE_BUFFERS; i++)
        for (size_t w = 0; w < c->size[i] / 4; w++)
            a->open[i][w] = storage[i].undef[w];
}

bool whole_oracle(const struct whole_case *c, enum gp5_semantics semantics, struct whole_answer *a)
{
    struct oracle_buffer storage[WHOLE_BUFFERS];
    gp5_program *program = gp5_parse(c->program.bytes, c->program.size);
    bool ok = whole_answer_new(c, a) && program;
    for (unsigned i = 0; i < WHOLE_BUFFERS; i++) {
        storage[i] = (struct oracle_buffer){i, a->data[i], c->size[i], calloc(c->size[i] / 4 + 1, sizeof(bool))};
        ok &= storage[i].undef != NULL;
    }
    if (ok)
        run(program, c, semantics, storage, a);
    for (unsigned i = 0; i < WHOLE_BUFFERS; i++)
        free(storage[i].undef);
    gp5_program_free(program);
    return ok;
}
