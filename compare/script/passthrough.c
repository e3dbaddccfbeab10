/* Vertex programs that only pass things through: what piglit's fragment tests have. Each result is taken from
 * one parameter, attribute or constant. Fragment programs behind one are run on their own, over the whole window;
 * whatever does more is a pipeline. */
#include "compare/script/script.h"

#include <string.h>

struct scanner {
    const char *text;
    size_t at, end;
    char token[64];             /* "" at the end */
    size_t start;               /* of the token */
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_.+-$!", c));
}

static void skip_space(struct scanner *p)
{
    while (p->at < p->end) {
        char c = p->text[p->at];
        if (c == '#')
            while (p->at < p->end && p->text[p->at] != '\n')
                p->at++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            p->at++;
        else
            return;
    }
}

/* The next word (a name with its dots, a number) or single character. */
static void next(struct scanner *p)
{
    skip_space(p);
    size_t n = 0;
    p->start = p->at;
    while (p->at < p->end && n + 1 < sizeof p->token && is_word(p->text[p->at]))
        p->token[n++] = p->text[p->at++];
    if (!n && p->at < p->end)
        p->token[n++] = p->text[p->at++];
    p->token[n] = 0;
}

static bool accept(struct scanner *p, const char *token)
{
    if (strcmp(p->token, token))
        return false;
    next(p);
    return true;
}

/* [N], or nothing for 0. */
static bool subscript(struct scanner *p, uint32_t limit, uint32_t *index)
{
    uint64_t v = 0;
    if (!accept(p, "["))
        return true;
    if (!number_parse(NUMBER_U32, p->token, &v) || v >= limit)
        return false;
    *index = (uint32_t)v;
    next(p);
    return accept(p, "]");
}

static bool constant(struct scanner *p, float value[4])
{
    uint64_t bits;
    float f;
    if (!accept(p, "{")) {
        if (!number_parse(NUMBER_F32, p->token, &bits))
            return false;
        memcpy(&f, &(uint32_t){ (uint32_t)bits }, sizeof f);
        for (int i = 0; i < 4; i++)
            value[i] = f;
        next(p);
        return true;
    }
    value[1] = value[2] = 0;
    value[3] = 1;
    for (int i = 0; i < 4; i++) {
        if (!number_parse(NUMBER_F32, p->token, &bits))
            return false;
        memcpy(&value[i], &(uint32_t){ (uint32_t)bits }, sizeof *value);
        next(p);
        if (accept(p, "}"))
            return true;
        if (!accept(p, ","))
            return false;
    }
    return false;
}

static bool source(struct scanner *p, struct pass_value *v)
{
    memset(v, 0, sizeof *v);
    if (accept(p, "program.env")) {
        v->source = PASS_ENV;
        return subscript(p, 256, &v->index);
    }
    if (accept(p, "program.local")) {
        v->source = PASS_LOCAL;
        return subscript(p, 256, &v->index);
    }
    if (accept(p, "vertex.texcoord")) {
        v->source = PASS_TEXCOORD;
        return subscript(p, SCRIPT_TEXCOORDS, &v->index);
    }
    if (accept(p, "vertex.position")) {
        v->source = PASS_POSITION;
        return true;
    }
    if (accept(p, "vertex.attrib")) {           /* attribute 0 is the position */
        v->source = PASS_POSITION;
        return subscript(p, 1, &v->index);
    }
    if (accept(p, "vertex.color") || accept(p, "vertex.color.primary")) {
        v->source = PASS_COLOR;
        return true;
    }
    v->source = PASS_CONSTANT;
    return constant(p, v->constant);
}

static bool move(struct scanner *p, struct passthrough *pass)
{
    struct pass_value *result = NULL, position = { .source = PASS_NONE };
    uint32_t index = 0;
    if (accept(p, "result.texcoord")) {
        if (!subscript(p, SCRIPT_TEXCOORDS, &index))
            return false;
        result = &pass->texcoord[index];
    } else if (accept(p, "result.color") || accept(p, "result.color.primary")) {
        result = &pass->color[0];
    } else if (accept(p, "result.color.secondary")) {
        result = &pass->color[1];
    } else if (accept(p, "result.fogcoord")) {
        result = &pass->fogcoord;
    } else if (accept(p, "result.position")) {
        result = &position;
    }
    if (!result || !accept(p, ",") || !source(p, result) || !accept(p, ";"))
        return false;
    return result != &position || position.source == PASS_POSITION;
}

bool script_passthrough(struct script *s, size_t start, size_t end)
{
    struct scanner p = { .text = s->text, .at = start, .end = end };
    memset(&s->vertex, 0, sizeof s->vertex);
    next(&p);
    if (!accept(&p, "!!ARBvp1.0"))
        return false;
    while (*p.token) {
        if (accept(&p, "END"))
            return !*p.token;
        if (accept(&p, "OPTION")) {
            if (!accept(&p, "ARB_position_invariant") || !accept(&p, ";"))
                return false;
            s->vertex.transforms = true;
        } else if (!accept(&p, "MOV") || !move(&p, &s->vertex)) {
            return false;
        }
    }
    return false;
}
