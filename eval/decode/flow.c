/* IF, REP, CAL and their kin as steps. Jumps hold instructions until all steps stand. */
#include "eval/decode/decode.h"
#include "eval/decode/loop_index.h"

/* Deeper nesting than this is refused: every level is a place on every warp's control stack. */
enum { MAX_NESTING = 1024 };

static bool jump(struct decoder *d, const struct insn *insn, uint8_t kind, uint32_t to)
{
    struct step *s;

    if (to == NO_INDEX)
        return eval_refuse(d, insn->span, "%s without its partner", op_table[insn->op].name);
    s = eval_step(d, kind);
    if (!s)
        return false;
    s->test = eval_test_of_flow(d, insn);
    s->target = to;
    return true;
}

/* The driver's CONT as a loop's last instruction: who does not take it leaves the loop
 * (tests/recordings/patterns/questions3.txt, cont_last). One that is written to be never taken is not there. */
static bool ends_loop(const struct decoder *d, const struct insn *insn)
{
    return insn->dst.partner == d->insn + 1 && insn->condition.rule != CC_FL &&
           d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

/* Places on the stack that what stands here needs. */
static void note_depth(struct decoder *d)
{
    if (d->nesting + d->parted > d->deepest)
        d->deepest = d->nesting + d->parted;
}

static bool open_block(struct decoder *d, const struct insn *insn)
{
    d->parted += model_split(&d->model, d->insn) == SPLIT_RETURN;
    if (!d->nesting)
        d->outermost = (uint32_t)d->steps.count;
    d->nesting++;
    note_depth(d);
    return d->nesting <= MAX_NESTING ||
           eval_refuse(d, insn->span, "blocks nested more than %d deep", MAX_NESTING);
}

static bool decode_rep(struct decoder *d, const struct insn *insn)
{
    struct repeat r = {.count = NO_PLANE, .type = eval_register_type(insn->type)};
    uint32_t at;

    if (insn->nsrc) {
        struct fetched f;
        struct operand o = *program_operand(d->p, insn->src);
        if (o.kind == OPND_CONSTANT && d->x->options.semantics == GP5_SEMANTICS_NVIDIA)
            o.flags &= (uint16_t)~OPND_NEGATE;  /* the driver ignores the sign of a literal (flow.txt, count_minus) */
        if (!eval_fetch(d, &o, r.type, 1, false, &f))
            return false;
        r.count = f.plane[0];
    }
    if (!open_block(d, insn) || !jump(d, insn, STEP_REP, insn->dst.partner))
        return false;
    r.parts = model_split(&d->model, d->insn) == SPLIT_LOOP;
    r.returns = model_split(&d->model, d->insn) == SPLIT_RETURN;
    r.no_reconverge = model_nested(&d->model, d->insn) & NESTED_NO_RECONVERGE;
    d->has_parts |= r.no_reconverge;
    at = eval_push(d, &d->repeats, &r);
    ((struct step *)vec_at(&d->steps, d->steps.count - 1))->ref = at;
    return !d->no_memory;
}

/* The driver's BRK, CONT and RET with a test of several components are taken when the lowest of these passes and no
 * other does, where IF and CAL want any of them (tests/recordings/patterns/questions3.txt, brk_vector, cont_vector,
 * ret_vector). */
static bool leave(struct decoder *d, const struct insn *insn, uint8_t kind, uint32_t to)
{
    struct step *s;

    if (!jump(d, insn, kind, to))
        return false;
    s = vec_at(&d->steps, d->steps.count - 1);
    if (eval_tests_several(&insn->condition) && d->x->options.semantics == GP5_SEMANTICS_NVIDIA) {
        s->test.first_alone = true;
        s->test.swizzle = eval_first_alone(&insn->condition);
    }
    if (kind == STEP_RET && model_split(&d->model, d->insn) == SPLIT_RET)
        s->ref = 1 + (d->nesting ? d->outermost : (uint32_t)d->steps.count);
    else if (kind == STEP_RET && model_split(&d->model, d->insn) == SPLIT_RET_ALONE)
        s->ref = WAY_ALONE;
    else
        s->ref = kind == STEP_CONT ? ends_loop(d, insn)
                                   : kind == STEP_BRK_ON && model_split(&d->model, d->insn) == SPLIT_BRK_TOO;
    return true;
}

/* Inner loops that CONTs end begin with the pass, the outermost first. Until they end the target of each is the one
 * around it. */
static bool open_nests(struct decoder *d)
{
    uint32_t n = model_nested(&d->model, d->insn) & ~NESTED_NO_RECONVERGE;

    d->parted += n;
    note_depth(d);
    for (; n; n--) {
        struct step *s = eval_step(d, STEP_NEST);
        if (!s)
            return false;
        s->target = d->nest;
        d->nest = (uint32_t)d->steps.count - 1;
    }
    return true;
}

/* CONTs of which lanes go straight to the beginning. */
static bool open_away(struct decoder *d)
{
    struct step *s;

    if (model_split(&d->model, d->insn) == SPLIT_IF || !(model_nested(&d->model, d->insn) & NESTED_AWAY))
        return true;
    d->parted++;
    note_depth(d);
    s = eval_step(d, STEP_NEST);
    if (!s)
        return false;
    s->target = d->nest;
    d->nest = (uint32_t)d->steps.count - 1;
    return true;
}

static bool end_nest(struct decoder *d)
{
    struct step *end, *begin;

    if (!(model_nested(&d->model, d->insn) & (NESTED_END | NESTED_AWAY_END)))
        return true;
    end = eval_step(d, model_nested(&d->model, d->insn) & NESTED_END ? STEP_NEST_END : STEP_AWAY_END);
    if (!end)
        return false;
    end->target = d->nest;
    begin = vec_at(&d->steps, d->nest);
    d->nest = begin->target;
    begin->target = (uint32_t)d->steps.count - 1;
    d->parted--;
    return true;
}

static bool part(struct decoder *d, const struct insn *insn)
{
    bool no_then = insn->dst.partner == d->insn + 1 && program_insn(d->p, insn->dst.partner)->op == OP_ELSE;

    d->has_parts = true;
    if (!open_block(d, insn) || !jump(d, insn, no_then ? STEP_PART_OTHERWISE : STEP_PART, insn->dst.partner))
        return false;
    ((struct step *)vec_at(&d->steps, d->steps.count - 1))->ref = model_nested(&d->model, d->insn);
    return true;
}

/* `parts`: by the RET that they take. */
static bool call(struct decoder *d, const struct insn *insn, uint32_t parts)
{
    if (!jump(d, insn, STEP_CAL, insn->dst.partner))
        return false;
    ((struct step *)vec_at(&d->steps, d->steps.count - 1))->ref = parts;
    d->parted += parts != CALL_TOGETHER;
    note_depth(d);
    return true;
}

bool eval_decode_flow(struct decoder *d, const struct insn *insn)
{
    uint8_t parting = model_split(&d->model, d->insn);

    switch (insn->op) {
    case OP_IF:
        if (parting == SPLIT_IF)
            return part(d, insn);
        if (parting == SPLIT_OUT || parting == SPLIT_OUT_ELSE)
            return open_block(d, insn) &&
                   jump(d, insn, parting == SPLIT_OUT ? STEP_OUT : STEP_OUT_ELSE, insn->dst.partner);
        if (!open_away(d) || !open_block(d, insn) || !jump(d, insn, STEP_IF, insn->dst.partner))
            return false;
        ((struct step *)vec_at(&d->steps, d->steps.count - 1))->ref = parting == SPLIT_BAR          ? IF_ORDERED
                                                                      : parting == SPLIT_PREDICATED ? IF_PREDICATED
                                                                                                      : 0;
        return true;
    case OP_ELSE:
        return jump(d, insn, parting ? STEP_PART_ELSE : STEP_ELSE, insn->dst.partner);
    case OP_ENDIF:
        if (insn->dst.partner == NO_INDEX)
            return eval_refuse(d, insn->span, "ENDIF without its partner");
        d->nesting--;
        return eval_step(d, parting ? STEP_PART_END : STEP_ENDIF) != NULL && end_nest(d);
    case OP_REP:
        return eval_begin_index(d, insn) && decode_rep(d, insn) && open_nests(d);
    case OP_ENDREP:
        if (!eval_advance_index(d, insn))
            return false;
        if (eval_form(d, d->insn) == FORM_NEXT)
            return jump(d, insn, STEP_NEXT, insn->dst.partner);
        if (insn->dst.partner != NO_INDEX)
            d->nesting--;
        return jump(d, insn, STEP_ENDREP, insn->dst.partner) && eval_end_index(d, insn);
    case OP_BRK:
        return leave(d, insn, parting ? STEP_BRK_ON : STEP_BRK, insn->dst.partner);
    case OP_CONT:
        return open_away(d) &&
               leave(d, insn, model_nested(&d->model, d->insn) & NESTED_CONT ? STEP_AGAIN : STEP_CONT,
                     insn->dst.partner) &&
               end_nest(d);
    case OP_CAL:
        return call(d, insn,
                    parting == SPLIT_CALL        ? CALL_APART
                    : parting == SPLIT_CALL_ONCE ? CALL_APART_ONCE
                                                   : CALL_TOGETHER);
    case OP_BRA:
        return jump(d, insn, STEP_BRA, insn->dst.partner);
    case OP_RET:
        return leave(d, insn, STEP_RET, 0);
    default:
        return eval_refuse(d, insn->span, "%s", op_table[insn->op].name);
    }
}
