/* What a comparison says is held as that through copies, signs and conversions between singles and halves: whoever reads a SHORT variable as a
 * single, or another one as a half, converts. A conversion of what is 1.0 and has no minus is such a comparison again; one of an integer's -1 is where
 * an absolute value makes it 1. One and the other way are a copy, and where a vote makes the second signs count for nothing. Votes ask what was said,
 * whatever words they find (docs/semantics.md, "Ballots, votes and match"). */
#include "eval/said.h"

#include "eval/votes.h"

enum { SAID_FLOAT = 1, SAID_INTEGER, SAID_ONE };        /* true is 1.0; -1; 1 */
enum { SIGN_ABSOLUTE = 1, SIGN_MINUS = 2 };

struct said {
    unsigned kind;
    bool half;                  /* the word is a half */
    bool converted;             /* and was a single before, or the other way */
    unsigned inner, outer;      /* signs; `outer`: put on behind the conversion */
};

static uint8_t packed(struct said s)
{
    return s.kind ? (uint8_t)(s.kind | (unsigned)s.half << 2 | (unsigned)s.converted << 3 | s.inner << 4 | s.outer << 6) : 0;
}

static struct said unpacked(uint8_t word)
{
    return (struct said){.kind = word & 3u, .half = word >> 2 & 1, .converted = word >> 3 & 1, .inner = word >> 4 & 3u, .outer = word >> 6};
}

/* Signs put on what has some. */
static unsigned over(unsigned sign, unsigned before)
{
    return sign & SIGN_ABSOLUTE ? sign : before ^ sign;
}

static unsigned sign_of(const struct operand *o)
{
    return (o->flags & OPND_ABSOLUTE ? SIGN_ABSOLUTE : 0) | (operand_negates(o) ? SIGN_MINUS : 0);
}

/* A conversion, with what is put on in front of it, may say the same. */
static bool settle(struct said *s)
{
    bool absolute = s->inner & SIGN_ABSOLUTE, minus = s->inner & SIGN_MINUS;

    if (!s->converted)
        return true;
    if (minus || (s->kind == SAID_INTEGER && !absolute))
        return false;
    s->kind = s->kind == SAID_FLOAT ? SAID_FLOAT : SAID_ONE;
    s->converted = false;
    s->inner = s->outer;
    s->outer = 0;
    return true;
}

/* The word becomes a half, or a single; -1 is one in either size. `asked`: by a vote, which finds no other word then. */
static struct said as(struct said s, bool half, bool asked)
{
    struct said none = {.kind = 0};

    if (s.half == half && !s.converted && s.kind == SAID_INTEGER)
        s.half = !half;
    if (s.half == half && !(asked && settle(&s)))
        return none;
    if (s.converted)            /* there and back */
        s.inner = over(s.outer, s.inner);
    if (s.converted && asked)
        s.inner = 0;
    s.converted = !s.converted;
    s.half = half;
    s.outer = 0;
    return s;
}

static bool is_short(const struct known *k, uint8_t kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(k->p, ref)->size == SIZE_SHORT;
}

static struct said of_variable(const struct known *k, const struct operand *o, unsigned c)
{
    const struct known_value *v = eval_known_held(k, o, c);

    return v && program_symbol(k->p, o->ref)->size != SIZE_LONG ? unpacked(v->trait.said) : (struct said){.kind = 0};
}

static struct said with_sign(struct said s, unsigned sign)
{
    if (s.converted)
        s.outer = over(sign, s.outer);
    else
        s.inner = over(sign, s.inner);
    return s;
}

/* An operand that is read as a float. */
static struct said of_operand(const struct known *k, const struct operand *o, unsigned c, bool half, unsigned sign, bool asked)
{
    struct said s = of_variable(k, o, c);

    if (!s.kind)
        return s;
    s = with_sign(s, over(sign, sign_of(o)));
    return half == is_short(k, o->kind, o->ref) ? s : as(s, half, asked);
}

static struct said of_comparison(const struct known *k, const struct insn *insn)
{
    bool to_short = is_short(k, insn->dst.kind, insn->dst.ref), is_float = type_table[insn->type].is_float;
    bool wide = type_table[insn->type].bytes == 8;
    struct said s = {.kind = is_float ? SAID_FLOAT : SAID_INTEGER, .half = to_short && !wide};     /* of doubles a single stands there */

    if (wide && !is_float)
        return (struct said){.kind = 0};
    if (is_float && !to_short && (insn->type == DT_F16 || insn->flags & INSN_HALF)) {
        s.half = true;
        s = as(s, false, false);
    }
    return s;
}

/* The factor beside 1.0 or -1.0. */
static int copied_factor(const struct known *k, const struct insn *insn, unsigned c, unsigned *sign)
{
    for (unsigned n = 0; n < 2; n++) {
        uint64_t word;
        if (!eval_known_operand(k, program_operand(k->p, insn->src + n), c, DT_F32, &word) || (uint32_t)word << 1 != 0x7f000000u)
            continue;
        *sign = (uint32_t)word >> 31 ? SIGN_MINUS : 0;
        return 1 - (int)n;
    }
    return -1;
}

uint8_t eval_said_of_result(const struct known *k, const struct insn *insn, unsigned c)
{
    bool to_short = is_short(k, insn->dst.kind, insn->dst.ref);
    unsigned sign = 0;
    int n = 0;

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) || condition_restricts(&insn->dst.condition) || insn->dst.kind != OPND_SYMBOL ||
        program_symbol(k->p, insn->dst.ref)->size == SIZE_LONG)
        return 0;
    if (op_compares(insn->op))
        return packed(of_comparison(k, insn));
    if (insn->op == OP_MOV && (insn->type == DT_U32 || insn->type == DT_S32)) {
        const struct operand *o = program_operand(k->p, insn->src);
        struct said s = operand_has_sign(o) ? (struct said){.kind = 0} : of_variable(k, o, c);
        return s.half && s.kind != SAID_INTEGER && !to_short ? 0 : packed(s);     /* what stands above the half is open */
    }
    if (insn->op == OP_MUL && insn->type == DT_F32 && !(insn->flags & INSN_HALF))
        n = copied_factor(k, insn, c, &sign);
    else if (insn->op == OP_ABS && insn->type != DT_F64 && type_table[insn->type].is_float)
        sign = SIGN_ABSOLUTE;
    else if (insn->op != OP_MOV || insn->type == DT_F64 || !type_table[insn->type].is_float)
        return 0;
    if (n < 0)
        return 0;
    return packed(insn->op == OP_MUL ? with_sign(of_operand(k, program_operand(k->p, insn->src + (unsigned)n), c, to_short, 0, false), sign)
                                     : of_operand(k, program_operand(k->p, insn->src), c, to_short, sign, false));
}

void eval_note_said(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct operand *o = program_operand(k->p, insn->src);
    bool half = insn->type == DT_F16 || insn->flags & INSN_HALF || is_short(k, insn->dst.kind, insn->dst.ref);

    for (unsigned c = 0; c < 4; c++) {
        struct said held = of_variable(k, o, c), s = of_operand(k, o, c, half, 0, true);
        bool plain = (held.kind == SAID_FLOAT || !half) && !held.converted && held.half == half && half == is_short(k, o->kind, o->ref);
        if (!(insn->dst.mask >> c & 1) || !s.kind || plain || !settle(&s) || s.inner & SIGN_ABSOLUTE)
            continue;
        folded->heard |= (uint8_t)(1u << c);
        folded->heard_half |= (uint8_t)(held.half << c);
    }
}
