/* A parsed program: what the text says, in source order, before any meaning is given to it.
 *
 * Everything hangs in flat arrays and refers to the others by index: statements name instructions, symbols and
 * bindings; instructions name a run of modifiers and a run of operands. Nothing is a tree, so nothing recurses. */
#ifndef GP5_ASM_PROGRAM_H
#define GP5_ASM_PROGRAM_H

#include "asm/arena.h"
#include "asm/diag.h"
#include "asm/isa.h"

#include <string.h>

#define NO_INDEX UINT32_MAX

/* ---- names ---------------------------------------------------------------------------------------------------- */

enum symbol_kind {
    SYM_TEMP, SYM_ATTRIB, SYM_PARAM, SYM_OUTPUT, SYM_ADDRESS, SYM_BUFFER, SYM_BUFFER4, SYM_CBUFFER, SYM_STORAGE,
    SYM_SHARED, SYM_TEXTURE, SYM_IMAGE, SYM_COUNTER, SYM_SUBROUTINE_TYPE, SYM_SUBROUTINE, SYM_LABEL,
    SYM_ALIAS           /* resolved while parsing: operands refer to what it stands for */
};

enum symbol_size { SIZE_DEFAULT, SIZE_SHORT, SIZE_LONG };
enum symbol_type { TYPE_NONE, TYPE_INT, TYPE_UINT, TYPE_FLOAT };
enum interpolation {
    INTERP_DEFAULT, INTERP_FLAT = 1, INTERP_NOPERSPECTIVE = 2, INTERP_CENTROID = 4, INTERP_SAMPLE = 8
};

struct symbol {
    const char *name;           /* NUL-terminated, in the program's arena */
    struct span span;           /* of the name where it is declared; for a label that is only used, the first use */
    uint8_t kind;               /* enum symbol_kind */
    uint8_t size;               /* enum symbol_size */
    uint8_t type;               /* enum symbol_type */
    uint8_t interpolation;      /* enum interpolation bits */
    bool array;                 /* declared with [] */
    bool two_indices;           /* declared with [][]: a range of buffers */
    bool per_vertex;            /* an attribute of all vertices of a primitive: an index before all others chooses
                                 * one */
    bool defined;               /* a label: its definition was seen */
    bool size_written;          /* [4] as against [] */
    bool parameter;             /* DECLARE of !!FP1.0: the application may change it */
    bool implicit;              /* not declared: R0 of !!VP1.0 */
    bool broken;                /* an error in its declaration was reported already */
    bool plain;                 /* a register, an input or a parameter of one vector of any type (check_plain.c) */
    bool numbered;              /* a label: SUBROUTINENUM(number) was written */
    uint32_t number;
    bool written;               /* an instruction writes it (asm/check/check.c) */
    uint32_t array_size;        /* elements; for [] taken from the bindings; 0 = unbounded (a whole buffer) */
    uint32_t elements;          /* what the bindings of an array amount to */
    uint32_t depth;             /* a label: the blocks that are open where it stands */
    struct span size_span;      /* of the written size */
    uint32_t binding, nbindings;/* run in program->bindings; for an ALIAS `binding` is the symbol it stands for */
                                /* for a SUBROUTINETYPE the run of its labels in program->operands */
    uint32_t instruction;       /* a label: the index of the instruction that follows it; a SUBROUTINE: its type's
                                 * symbol */
    uint32_t uses;              /* how often operands name it */
};

/* ---- bindings: what a name or an operand is connected to --------------------------------------------------------- */

/* One binding word such as `invocation.threadid`, `program.local[0..3]`, `fragment.texcoord[2]` or a constant. The kind
 * is an index into asm/bindings.def; indices stand in the order in which they are written. */
struct binding {
    uint16_t kind;              /* enum gp5_binding, asm/isa.h */
    uint8_t nindices;           /* pairs used below */
    bool range[2];              /* n..o was written */
    uint32_t first[2], last[2]; /* last == first without a range */
    bool not_constant[2];       /* no number stands in the brackets */
    bool relative;              /* but A0.x + n in the first: */
    uint32_t index;             /* in program->indices */
    uint32_t constant;          /* BIND_CONSTANT: index into constants */
    struct span span;
    struct span index_span[2];  /* of what stands between the brackets */
};

/* A constant as written: `2.5`, `-1`, `0xff`, `{1, 2.0}`. Components left out are 0, 0, 0, 1 (in that order, for y z
 * w). Those that are written alike may be one. */
struct constant {
    bool scalar : 1;            /* written without braces */
    uint8_t count : 3;          /* components written, 1..4 */
    uint8_t is_integer : 4;     /* a bit a component: an integer token (value.u holds it), else a float token
                                 * (value.f) */
    uint8_t negative : 4;       /* a bit a component: a sign was written before it (inside braces) */
    uint8_t hex : 4;            /* a bit a component: for printing */
    uint32_t scaled;            /* 1 + where in program->scaled other values stand for F64, or 0: the same ones */
    union { uint64_t u; double f; } value[4];   /* magnitude, without the sign */
};

struct result_place {
    uint32_t statement;         /* where it begins */
    struct span span;
};

/* Float tokens as NVIDIA's driver reads doubles, rounded twice: digits as a whole number, times a power of ten. */
struct scaled {
    double value[4];
};

/* ---- operands ---------------------------------------------------------------------------------------------------- */

enum operand_kind {
    OPND_NONE,
    OPND_SYMBOL,        /* ref: symbol; a variable or one element of an array */
    OPND_BINDING,       /* ref: binding, written in the operand itself */
    OPND_CONSTANT,      /* ref: constant */
    OPND_TEXTURE,       /* ref: binding (texture[n]) or, with OPND_BY_NAME, symbol; target in the instruction */
    OPND_IMAGE,         /* likewise */
    OPND_HANDLE,        /* handle(var.c): ref symbol of var, swizzle its component */
    OPND_LABEL,         /* ref: symbol */
    OPND_EXTENDED,      /* SWZ: ref/symbol as kind2 says, `extended` holds four selectors */
    OPND_CC,            /* result only: the register CC, where a profile has it */
};

enum operand_flags {
    OPND_NEGATE = 1,        /* - before the operand (outside | |) */
    OPND_ABSOLUTE = 2,      /* | | */
    OPND_NEGATE_INNER = 4,  /* - inside | | */
    OPND_RGBA = 8,          /* swizzle or mask written with r g b a */
    OPND_BY_NAME = 16,
    OPND_PLUS = 32,         /* a + was written before it */
    OPND_OFFSET = 64,       /* offset(operand): a texel offset held in an operand */
    OPND_XYZW = 256,        /* a selector of SWZ written with x y z w */
    OPND_SELECTED = 512,    /* SWZ's: selectors follow */
    OPND_EXTERNAL = 1024,   /* exthandle(operand) */
    OPND_BAD_SWIZZLE = 128, /* swizzle_span is no swizzle: the program is invalid */
    OPND_SIGNS = OPND_NEGATE | OPND_ABSOLUTE | OPND_NEGATE_INNER,
};

enum index_mode { INDEX_NONE, INDEX_CONSTANT, INDEX_RELATIVE };

/* [4], [R0.x], [R0.x + 4], [R0.x - 4] */
struct index {
    uint8_t mode;           /* enum index_mode */
    uint8_t component;      /* of the register, 0..3 */
    uint8_t register_kind;  /* OPND_SYMBOL, or OPND_BINDING for a binding used as an index */
    bool component_written : 1;
    bool component_text : 1;    /* something was written as the component, be it one or not */
    bool offset_written : 1;    /* + 0 as against nothing */
    bool reported : 1;          /* register_kind is OPND_NONE: the parser has said why */
    uint32_t reg;           /* symbol (or binding) */
    struct index_element {  /* when the register is itself an array element with a constant index */
        bool used;
        uint32_t value;
    } element;
    int32_t offset;
    struct span span;       /* of what stands in the brackets */
    struct span register_span;  /* of the register with its component */
};

/* Operands and instructions are most of what a program takes: 24 and 48 bytes each. */
struct operand {
    uint32_t kind : 4;      /* enum operand_kind */
    uint32_t flags : 12;    /* enum operand_flags */
    uint32_t nswizzle : 3;  /* letters written: 0, 1 or 4 */
    uint32_t nindices : 3;
    uint32_t base_kind : 4; /* OPND_EXTENDED: the kind of the base */
    uint32_t reported : 1;  /* OPND_NONE: the parser has said why it is nothing */
    uint32_t word : 1;      /* written in one word, or in one pair of braces, without an index */
    uint8_t swizzle;        /* 2 bits a component, x lowest; one letter is replicated; none is 0xe4 (xyzw) */
    uint16_t selectors;     /* OPND_EXTENDED: see operand_selector */
    uint32_t ref;
    uint32_t index;         /* run of nindices in program->indices */
    struct span span;
};

/* OPND_EXTENDED: enum swz_select of a component, with SWZ_NEGATE. */
static inline unsigned operand_selector(const struct operand *o, unsigned component)
{
    return o->selectors >> 4 * component & 15;
}

static inline bool operand_has_sign(const struct operand *o)
{
    return o->flags & OPND_SIGNS;
}

/* The kind of what it names: of SWZ's operand its base, of a handle the variable that it stands in. */
static inline uint8_t operand_named_kind(const struct operand *o)
{
    return o->kind == OPND_EXTENDED ? o->base_kind : o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;
}

/* Kinds and traits that are asked for often. */
static inline bool op_flows(unsigned op)
{
    return op_is(op, K_FLOW);
}

static inline bool op_shuffles(unsigned op)
{
    return op_is(op, K_SHUFFLE);
}

static inline bool op_is_atomic(unsigned op)
{
    return op_is(op, K_ANY_ATOMIC);
}

static inline bool op_loads(unsigned op)
{
    return op_is(op, K_LOAD);
}

/* Of numbers, not of texels. */
static inline bool op_stores(unsigned op)
{
    return op_is(op, K_STORE);
}

static inline bool op_calls(unsigned op)
{
    return op_has(op, A_CALLS);
}

static inline bool op_votes(unsigned op)
{
    return op_is(op, K_VOTE);
}

static inline bool op_compares(unsigned op)
{
    return op_has(op, A_COMPARES);
}

/* Whether its signs turn a number around, after | | if that stands there. */
static inline bool operand_negates(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER && !(o->flags & OPND_ABSOLUTE));
}

enum swz_select { SWZ_X, SWZ_Y, SWZ_Z, SWZ_W, SWZ_ZERO, SWZ_ONE, SWZ_BAD, SWZ_NEGATE = 8 };

/* Where it stands: program_test_span. */
struct condition {
    uint8_t rule;           /* enum cc_rule; CC_NONE when none is written */
    uint8_t swizzle;
    uint8_t nswizzle : 3;
    uint8_t cc : 1;         /* condition code register, 0 or 1 */
    bool cc_written : 1;    /* EQ0 as against EQ */
    bool rgba : 1, parentheses : 1;
    bool written : 1;       /* also when the rule is none that exists */
    bool bad_swizzle : 1;
};

/* Whether it can hold anything back: there is one, and it is not TR. */
static inline bool condition_restricts(const struct condition *c)
{
    return c->rule != CC_NONE && c->rule != CC_TR;
}

struct result {
    uint32_t written : 1;   /* false for an instruction without one */
    uint32_t bad_mask : 1;  /* what stands behind the dot is no mask: the program is invalid */
    uint32_t reported : 1;  /* OPND_NONE: the parser has said why it is nothing */
    uint32_t mask_written : 1, rgba : 1;
    uint32_t word : 1;      /* written in one word, without an index */
    uint32_t kind : 4;      /* OPND_SYMBOL, OPND_BINDING, OPND_CC; OPND_NONE for an instruction without one */
    uint32_t mask : 4;      /* bit 0 = x; 15 when none is written */
    uint32_t nindices : 3;
    uint32_t ref;
    union {
        uint32_t index;
        uint32_t partner;   /* Of flow, which has no result: IF: its ELSE or ENDIF; ELSE: its ENDIF; ENDIF: its IF; REP:
                             * its ENDREP; ENDREP: its REP; BRK, CONT: the loop's ENDREP; CAL: the label's instruction.
                             * NO_INDEX when not matched. */
    };
    struct condition condition;
};                          /* where it stands: program_result_span */

/* ---- instructions ------------------------------------------------------------------------------------------------ */

struct modifier {
    uint8_t id;             /* enum gp5_modifier, asm/isa.h; MOD_UNKNOWN keeps its span for the diagnostic */
    bool suffix;            /* written in the name (ADDC, MUL_SAT) and not after a dot */
    struct span span;       /* without the dot, from the beginning of the instruction: see modifier_span */
};

struct insn {
    uint32_t op : 12;       /* enum gp5_op, or one of the evaluator's own */
    uint32_t nmodifiers : 8;
    uint32_t nsrc : 5;
    int32_t texel_z : 4;    /* as texel_x, of the third */
    /* What the modifiers amount to (asm/modifiers.c; from the written ones and the opcode's defaults). */
    uint32_t width : 3;     /* memory: components moved, 1 2 4; else 0 */
    uint32_t modifier;      /* run in program->modifiers, in written order; instructions that begin alike share it */
    uint32_t src;           /* run in program->operands */
    uint32_t type : 4;      /* enum data_type: the operation's; for CVT the result's; for memory the storage type */
    uint32_t type2 : 4;     /* CVT: the operand's type; else the same as type */
    uint32_t cc_update : 2; /* 0 none, 1 CC0, 2 CC1 */
    uint32_t atomic : 7;    /* enum gp5_modifier of the atomic operation, or 0 */
    uint32_t rounding : 7;  /* enum gp5_modifier MOD_ROUND MOD_CEIL MOD_FLR MOD_TRUNC, or 0 */
    int32_t texel_x : 4, texel_y : 4;   /* see insn_texel */
    uint32_t flags : 24;    /* enum insn_flags; the evaluator's own from 1 << 20 on */
    uint32_t texture_target : 5;    /* enum gp5_texture_target */
    uint32_t ntexels : 2;
    struct condition condition;     /* IF BRK CONT RET CAL KIL */
    struct result dst;
    struct span span;       /* the statement without its semicolon; it begins with the opcode's name */
};

enum insn_flags {
    INSN_SAT = 1, INSN_SSAT = 2, INSN_HI = 4, INSN_S24 = 8, INSN_U24 = 16, INSN_PREC = 32, INSN_COHERENT = 64,
    INSN_VOLATILE = 128, INSN_FINE = 256, INSN_COARSE = 512, INSN_NTC = 1024, INSN_CTA = 2048, INSN_SPARSE = 4096,
    INSN_LODCLAMP = 8192, INSN_TYPE_WRITTEN = 16384, INSN_HALF = 32768 /* H suffix */, INSN_FIXED = 65536 /* X */,
    INSN_SUBROUTINE = 131072,
    INSN_SINGLE = 524288, /* F32 is written, where F is the type as well */
    INSN_INDEXED = 524288,      /* of REP and ENDREP in the evaluator: a LOOP, which has an index register */
    INSN_BROKEN = 262144 /* a syntax error stopped it: what was read before is here, the program is invalid */,
};

_Static_assert(OP_COUNT < 1 << 11 && MOD_COUNT <= 1 << 7 && DT_COUNT <= 1 << 4 && TARGET_COUNT <= 1 << 5,
               "the bits of struct insn");

/* The numbers of a texel offset that stand in the instruction itself, of which it has ntexels. */

static inline int insn_texel(const struct insn *insn, unsigned i)
{
    return i == 0 ? insn->texel_x : i == 1 ? insn->texel_y : insn->texel_z;
}

/* ---- statements: the source order -------------------------------------------------------------------------------- */

enum statement_kind {
    STMT_OPTION,        /* ref: enum gp5_option or OPTION_UNKNOWN; count: where its name stands in the text */
    STMT_DECLARATION,   /* ref: first symbol, count: how many one statement declares */
    STMT_ALIAS,         /* ref: the SYM_ALIAS symbol */
    STMT_GROUP_SIZE,    /* count: how many numbers were written; the values stand in the program */
    STMT_SHARED_MEMORY, /* likewise */
    STMT_STAGE,         /* another declaration of the stage. ref: enum keyword; count: its number, or enum stage_word */
    STMT_PASSTHROUGH,   /* ref: binding, or NO_INDEX */
    STMT_LABEL,         /* ref: symbol */
    STMT_INSTRUCTION,   /* ref: instruction */
    STMT_COMMENT,       /* span: the text from '#' to the end of the line */
    STMT_BLANK,         /* one or more empty lines between statements, kept as one */
    STMT_END,
    STMT_BROKEN,        /* a syntax error stopped it, and it is no instruction: the program is invalid */
};

/* Only statements that are no instructions are kept, with their places; what lies between them are instructions. */
struct statement {
    uint8_t kind;           /* enum statement_kind */
    uint8_t trailing;       /* STMT_COMMENT: stands behind the statement before it, on its line; STMT_STAGE: a - was
                             * written; STMT_PASSTHROUGH: its binding is none, and it was said why */
    uint32_t ref, count;
    uint32_t place;         /* how many statements stand before it */
    struct span span;
};

struct gp5_program {
    struct arena arena;
    const char *text;       /* a copy, NUL after it */
    size_t size;
    char *writable;         /* the same copy: the scanner's, and freed with the program */
    uint32_t header;            /* where it begins: 0, or behind blanks and comments, where Mesa alone takes it */
    enum gp5_profile headed, profile;   /* what the header names; what the options make of it */
    uint64_t options;       /* 1 << enum gp5_option */
    struct vec others;          /* struct statement, all but instructions */
    uint32_t nstatements;       /* with them */
    struct vec insns, modifiers, operands, indices, symbols, bindings, constants, scaled;
    struct vec places;          /* struct result_place: where results stand that are more than a word behind blanks, in
                                 * the text's order */
    uint32_t constants_written;         /* of which those that are alike may be one */
    uint32_t group_size[3]; /* 0 when not declared; 1 for what is left out */
    uint32_t shared_memory; /* bytes; has_shared_memory tells whether it was declared */
    bool has_group_size, has_shared_memory;
    bool cut_off;           /* the text ends in the middle of a statement */
    struct diags diags;
};

/* NULs behind the text: the scanner wants two, and short words are read eight bytes at once. */
enum { PROGRAM_PADDING = 16 };

struct gp5_program *asm_program_new(const char *text, size_t size);    /* NULL without memory */
void asm_program_free(struct gp5_program *program);

/* What an operand names, with its components but without signs, bars and handle(). */
struct span program_base(const struct gp5_program *program, const struct operand *operand);

/* check_calls.c: a label that leads to a call of itself, or NULL. False without memory. */
bool program_recursion(const struct gp5_program *program, const struct symbol **label);

/* Where the first token at or behind `offset` begins. */
uint32_t program_next_token(const struct gp5_program *program, uint32_t offset);

/* The letters behind a path: R0.xyzw, s[R0.x].y, {1, 2}.x, NE.x. Length 0 when it has none. */
struct span program_suffix(const struct gp5_program *program, struct span path);

/* Where the result of an instruction stands. */
struct span program_result_span(const struct gp5_program *p, const struct insn *insn);
/* The same where nothing but blanks stands between the first word and that of the result. */
struct span program_word_behind(const char *text, uint32_t first);

/* Typed access to the arrays. */
#define PROGRAM_ACCESS(type, one, many)                                                                               \
    static inline struct type *program_##one(const struct gp5_program *p, uint32_t i)                                 \
    {                                                                                                                 \
        return (struct type *)p->many.data + i;                                                                       \
    }
PROGRAM_ACCESS(statement, other, others)
PROGRAM_ACCESS(insn, insn, insns)
PROGRAM_ACCESS(modifier, modifier, modifiers)
PROGRAM_ACCESS(operand, operand, operands)
PROGRAM_ACCESS(index, index, indices)
PROGRAM_ACCESS(symbol, symbol, symbols)
PROGRAM_ACCESS(binding, binding, bindings)
PROGRAM_ACCESS(constant, constant, constants)
PROGRAM_ACCESS(scaled, scaled, scaled)
PROGRAM_ACCESS(result_place, place, places)
#undef PROGRAM_ACCESS

/* A statement by its place in the text. */
struct statement program_statement(const struct gp5_program *p, uint32_t i);

/* Where one of the modifiers of an instruction stands. */
static inline struct span modifier_span(const struct insn *insn, const struct modifier *m)
{
    return (struct span){insn->span.offset + m->span.offset, m->span.length};
}

static inline struct span program_modifier_span(const struct gp5_program *p, const struct insn *insn, uint32_t i)
{
    return modifier_span(insn, program_modifier(p, insn->modifier + i));
}

/* Whether a modifier is written behind an instruction's name: enum gp5_modifier. */
static inline bool program_has_modifier(const struct gp5_program *p, const struct insn *insn, unsigned id)
{
    for (uint32_t i = 0; i < insn->nmodifiers; i++)
        if (program_modifier(p, insn->modifier + i)->id == id)
            return true;
    return false;
}

/* Whether it is a label that CALI may go to. */
static inline bool symbol_is_numbered(const struct symbol *s)
{
    return s->kind == SYM_LABEL && s->defined && s->numbered;
}

/* Whether a result or an operand is a variable of 64 bits. */
static inline bool program_is_long(const struct gp5_program *p, uint8_t kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(p, ref)->size == SIZE_LONG;
}

/* program_spans.c: what is asked for when something is wrong with it, and found again in the text. */
struct span program_target_span(const struct gp5_program *p, const struct insn *insn);  /* of its texture_target */
struct span program_test_span(const struct gp5_program *p, const struct insn *insn);    /* its own or its result's */
struct span program_constant_span(const struct gp5_program *p, const struct operand *constant); /* without components */

/* The opcode's name in the text, without modifiers. */
static inline struct span insn_name(const struct insn *insn)
{
    return (struct span){insn->span.offset, (uint32_t)strlen(op_table[insn->op].name)};
}

/* Whether lanes form quads: those of fragments, and of compute programs that say so. */
static inline bool asm_has_quads(const struct gp5_program *p)
{
    return profile_table[p->profile].stage_id == STAGE_FRAGMENT ||
           (p->profile == PROFILE_NVCP5 && p->options & DERIVATIVE_GROUP_OPTIONS);
}

#endif
