/* Bindings written out: which row of asm/bindings.def a path is, and where it stops being one. */
#include "asm/check/fix.h"
#include "parser/context.h"

#include "asm/check/suggest.h"

#include <string.h>

/* A place in a path, which is a sequence of words and indices. */
struct walk {
    const struct parser *p;
    unsigned part, index;
    size_t at;                  /* within the part */
    unsigned steps;             /* words and indices taken */
};

static size_t word_length(const char *text, size_t length)
{
    const char *dot = memchr(text, '.', length);
    return dot ? (size_t)(dot - text) : length;
}

static void next_part(struct walk *w)
{
    const struct path *path = &w->p->path;
    if (w->part < path->nparts && w->at >= path->part[w->part].length) {
        w->part++;
        w->at = 0;
    }
}

static bool at_index(const struct walk *w)
{
    const struct path *path = &w->p->path;
    return w->index < path->nindices && w->at == 0 && path->before[w->index] == w->part;
}

/* The word at the walk's place; length 0 if there is none. */
static struct span word_at(const struct walk *w)
{
    const struct path *path = &w->p->path;
    if (w->part >= path->nparts || at_index(w))
        return (struct span){0, 0};
    struct span part = path->part[w->part];
    const char *text = w->p->text + part.offset + w->at;
    return (struct span){part.offset + (uint32_t)w->at, (uint32_t)word_length(text, part.length - w->at)};
}

static bool take_index(struct walk *w)
{
    if (!at_index(w))
        return false;
    w->index++;
    w->steps++;
    return true;
}

/* The words of a row up to its end or its next bracket, as far as the path has them too. */
static const char *take_words(const char *row, struct walk *w)
{
    while (*row && *row != '[') {
        const struct path *path = &w->p->path;
        if (w->part >= path->nparts || at_index(w))
            return NULL;
        struct span part = path->part[w->part];
        const char *text = w->p->text + part.offset + w->at;
        size_t room = part.length - w->at, n = 0;
        while (n < room && row[n] == text[n] && text[n] != '.')
            n++;
        if (n == 0 || (n < room && text[n] != '.') || (row[n] && row[n] != '.' && row[n] != '['))
            return NULL;
        w->at += n + 1;         /* beyond the dot, or beyond the end of the part */
        next_part(w);
        w->steps++;
        row += n + (row[n] == '.');
    }
    return row;
}

/* Walks along a row as far as the path goes with it; true if that is all of the row. */
static bool take_row(const char *row, struct walk *w)
{
    while ((row = take_words(row, w)) && *row) {
        if (!take_index(w) && row[1] != '?')
            return false;
        row += row[1] == '?' ? 3 : 2;
        row += *row == '.';
    }
    return row;
}

struct search {
    unsigned found;             /* the row that the path begins with and that takes most of it, or BIND_UNKNOWN */
    struct walk whole;          /* behind it */
    struct walk furthest;       /* how far any row went that this program may use */
    unsigned gated;             /* a row that goes further and that an option hides, or BIND_UNKNOWN */
    unsigned gated_steps;
};

/* What a patch has as a whole a geometry program has where it takes patches; colours with a number have an option. */
static bool is_there(const struct parser *p, unsigned id)
{
    if (!(binding_table[id].profiles >> p->program->profile & 1))
        return false;
    switch (id) {
    case BIND_PRIMITIVE_PATCH_ATTRIB_GP: case BIND_PRIMITIVE_TESSOUTER_GP: case BIND_PRIMITIVE_TESSINNER_GP:
        return p->takes_patches;
    case BIND_RESULT_COLOR_N_PRIMARY: case BIND_RESULT_COLOR_N_SECONDARY:
        return p->program->options >> OPTION_ARB_draw_buffers & 1;
    default: return true;
    }
}

static bool is_open(const struct parser *p, unsigned id)
{
    unsigned option = binding_table[id].option;
    return option == OPTION_NONE || p->program->options >> option & 1;
}

/* Rows that begin with the same two words have one list; three where the second is "matrix", which most have. */
#include "words.inc"

/* As asm/gen/words.awk computes it. */
static unsigned words_hash(unsigned from, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        from = (from * 33 + (unsigned char)text[i]) & 0xffff;
    return from;
}

static unsigned slot_of_path(const struct parser *p)
{
    struct walk w = {.p = p};
    unsigned hash = 0;
    for (unsigned i = 0, words = 2; i < words; i++) {
        struct span word = word_at(&w);
        const char *text = p->text + word.offset;
        hash = words_hash(hash, text, word.length);
        if (i == 1 && word.length == 6 && !memcmp(text, "matrix", 6))
            words = 3;
        w.at += word.length + 1;
        next_part(&w);
        take_index(&w);
    }
    return hash % BINDING_SLOTS;
}

static void try_row(const struct parser *p, struct search *s, unsigned id)
{
    struct walk w = {.p = p};
    bool whole = take_row(binding_table[id].words, &w);
    if (!is_open(p, id)) {
        if (whole && w.steps > s->gated_steps) {
            s->gated_steps = w.steps;
            s->gated = id;
        }
        return;
    }
    if (whole && (s->found == BIND_UNKNOWN || w.steps > s->whole.steps)) {
        s->found = id;
        s->whole = w;
    }
    if (w.steps > s->furthest.steps)
        s->furthest = w;
}

/* Where a row takes two words or the only one, no row with other words goes as far. Otherwise all are asked how far
 * they go. */
static struct search search_rows(struct parser *p)
{
    struct search s = {BIND_UNKNOWN, {.p = p}, {.p = p}, BIND_UNKNOWN, 0};
    const char *first = p->text + p->path.part[0].offset;
    size_t length = word_length(first, p->path.part[0].length);
    for (unsigned id = binding_head[slot_of_path(p)]; id; id = binding_next[id])
        if (is_there(p, id))
            try_row(p, &s, id);
    bool alone = p->path.nparts == 1 && p->path.part[0].length == length;
    if (s.found == BIND_UNKNOWN || (s.whole.steps < 2 && !alone))
        for (unsigned id = BIND_CONSTANT + 1; id < BIND_COUNT; id++) {
            const char *row = binding_table[id].words;
            if (row[0] == first[0] && strncmp(row, first, length) == 0 && is_there(p, id))
                try_row(p, &s, id);
        }
    if (s.gated != BIND_UNKNOWN && s.found != BIND_UNKNOWN && s.gated_steps <= s.whole.steps)
        s.gated = BIND_UNKNOWN;
    return s;
}

/* A suffix of one word is the components; everything else that is left of a path is too much. */
static bool is_components(const struct parser *p, const struct walk *w)
{
    struct walk rest = *w;
    struct span word = word_at(&rest);
    if (word.length == 0)
        return true;
    if (rest.part + 1 != p->path.nparts || word.length + rest.at != p->path.part[rest.part].length)
        return false;
    uint8_t bits, letters;
    bool rgba;
    const char *text = p->text + word.offset;
    return word.length <= 4 && (parse_swizzle(text, word.length, &bits, &letters, &rgba) ||
                                strspn(text, "xyzwrgba") >= word.length);
}

/* The path stops being a binding here: the word, the bracket, or what stands behind all of it. */
static struct span stopped_at(const struct parser *p, const struct walk *w)
{
    if (at_index(w))
        return (struct span){p->path.index[w->index].span.offset - 1, 1};
    struct span word = word_at(w);
    return word.length ? word : p->token;
}

static void report(struct parser *p, const struct search *s)
{
    struct span span = stopped_at(p, &s->furthest), path = p->path.span;
    struct diags *d = &p->program->diags;
    int length = (int)(path.length < 60 ? path.length : 60);
    bool whole = p->role == ROLE_DECLARATION && s->found != BIND_UNKNOWN && word_at(&s->whole).length &&
                 s->furthest.steps <= s->whole.steps && strncmp(binding_table[s->found].words, "state.matrix", 12) != 0;
    struct diag *mesa = NULL, *diag;
    bool dot = !word_at(&s->furthest).length && span.length == 1 && p->text[span.offset] == '.';
    if (dot || (word_at(&s->furthest).length && span.offset > path.offset)) {
        mesa = diag_add(d, DIAG_ERROR, FOR_MESA, span, "there is no %.*s in %s programs", length, p->text + path.offset,
                        profile_table[p->program->profile].stage);
        if (mesa)
            mesa->position = span.offset - !dot;
        if (dot)        /* fragment.; */
            span = (struct span){lexer_next_offset(p), lexer_next_offset(p) < p->program->size};
    }
    unsigned targets = mesa ? FOR_NVIDIA | FOR_SPEC : FOR_ALL;
    if (s->gated != BIND_UNKNOWN) {
        diag = diag_add(d, DIAG_ERROR, targets, span, "%.*s needs OPTION %s", length, p->text + path.offset,
                        option_table[binding_table[s->gated].option].name);
        fix_option(p->program, diag, option_table[binding_table[s->gated].option].name);
        return;
    }
    bool only;
    const char *meant = asm_suggest_binding(p->program, &path, &only);
    fix_word(mesa, path, meant, only);      /* while it is the last one: the next may move it */
    diag = diag_add(d, DIAG_ERROR, targets, span, "there is no %.*s in %s programs", length, p->text + path.offset,
                    profile_table[p->program->profile].stage);
    if (diag && whole)      /* the driver takes fragment.color, and misses the semicolon behind it */
        diag->position = span.offset - 1;
    fix_word(diag, path, meant, only);
}

static uint32_t keep(struct parser *p, unsigned kind, unsigned nindices)
{
    struct binding *b = PUSH(p, bindings, struct binding);
    if (!b)
        return NO_INDEX;
    *b = (struct binding){.kind = (uint16_t)kind, .constant = NO_INDEX, .span = p->path.span};
    b->nindices = (uint8_t)(nindices < 2 ? nindices : 2);
    for (unsigned i = 0; i < b->nindices; i++) {
        b->range[i] = p->path.range[i];
        b->first[i] = (uint32_t)p->path.index[i].offset;
        b->last[i] = p->path.last[i];
        b->index_span[i] = p->path.index[i].span;
        b->not_constant[i] = p->path.index[i].mode != INDEX_CONSTANT;
    }
    uint32_t binding = (uint32_t)p->program->bindings.count - 1;
    if (nindices && p->path.index[0].mode == INDEX_RELATIVE) {
        struct index *index = PUSH(p, indices, struct index);
        if (!index)
            return NO_INDEX;
        *index = p->path.index[0];
        b->relative = true;
        b->index = (uint32_t)p->program->indices.count - 1;
    }
    return binding;
}

/* One number stands in brackets behind the first part, and nothing or components behind them: program.local[3].x. */
static bool is_element(const struct path *path)
{
    return path->nindices == 1 && path->nparts <= 2 && path->before[0] == 1 && !path->range[0] &&
           path->index[0].mode == INDEX_CONSTANT;
}

/* The memo's place for a path that is one word, such as invocation.localid.x, or one and an index; NULL for others. */
static struct binding_memo *memo_of(struct parser *p, uint64_t *key)
{
    const struct path *path = &p->path;
    bool element = is_element(path);
    if ((!element && (path->nparts != 1 || path->nindices)) || path->part[0].length < 8)
        return NULL;
    const char *text = p->text + path->part[0].offset;
    *key = word_load(text + path->part[0].length - 8, 8) ^ path->part[0].length ^ (uint64_t)element << 63;
    return &p->memo[*key * UINT64_C(0x9e3779b97f4a7c15) >> 59];
}

static bool remembered(struct parser *p, const struct binding_memo *memo, uint64_t key, struct binding_match *match)
{
    struct span part = p->path.part[0];
    if (memo->key != key || memo->length != part.length ||
        memcmp(p->text + memo->offset, p->text + part.offset, part.length) != 0)
        return false;
    if (p->path.nindices) {
        struct walk rest = {.p = p, .part = 1, .index = 1};
        if (!is_components(p, &rest))
            return false;
        match->binding = keep(p, memo->kind, 1);
        match->indices = 1;
        match->suffix = word_at(&rest);
        return true;
    }
    match->binding = keep(p, memo->kind, 0);
    match->indices = 0;
    match->suffix = (struct span){part.offset + memo->suffix, part.length - memo->suffix};
    return true;
}

static void remember(struct parser *p, struct binding_memo *memo, uint64_t key, const struct search *s)
{
    struct span part = p->path.part[0], word = word_at(&s->whole);
    if (part.length > UINT16_MAX || s->whole.index != p->path.nindices || (p->path.nindices && s->whole.part != 1))
        return;
    *memo = (struct binding_memo){key, part.offset, part.length, (uint16_t)s->found,
                                  (uint16_t)(word.length ? word.offset - part.offset : part.length)};
}

/* The driver looks for results where something is written and for all else where something is read. */
static bool fits_role(const struct parser *p)
{
    struct span word = {p->path.part[0].offset, p->path.first};
    bool result = word.length == 6 && memcmp(p->text + word.offset, "result", 6) == 0;
    return p->role == ROLE_DECLARATION || result == (p->role == ROLE_RESULT);
}

bool binding_find(struct parser *p, struct binding_match *match)
{
    _Static_assert(MEMO_SLOTS == 1 << (64 - 59), "memo_of takes the top bits of a hash");
    uint64_t key = 0;
    struct binding_memo *memo = memo_of(p, &key);
    match->reported = false;
    if (memo && p->role != ROLE_RESULT && remembered(p, memo, key, match))
        return match->binding != NO_INDEX;
    struct search s = search_rows(p);
    if ((s.furthest.steps == 0 && s.gated == BIND_UNKNOWN) || !fits_role(p))
        return false;
    if (s.found == BIND_UNKNOWN || s.gated != BIND_UNKNOWN || !is_components(p, &s.whole)) {
        report(p, &s);
        match->reported = true;
        return false;
    }
    if (memo && p->role != ROLE_RESULT && p->text[p->path.part[0].offset] != 'r')    /* result.* is read by nobody */
        remember(p, memo, key, &s);
    match->binding = keep(p, s.found, s.whole.index);
    match->suffix = word_at(&s.whole);
    match->indices = s.whole.index;
    return match->binding != NO_INDEX;
}
