/* piglit's older format: two programs and tests of them, each of which draws one rectangle and looks at the middle of
 * it. Blank lines and lines that begin with a semicolon say nothing. Parameters stay from test to test. A file of a
 * vertex and a fragment program without tests (id Tech's .vfp) draws one rectangle; what stands between its programs
 * says nothing either. */
#include "compare/script/script.h"

#include "compare/script/line.h"

#include <string.h>

static const char mark[] = "!!test";

struct reader {
    struct script *s;
    size_t start, end;          /* of the line, without blanks before it */
    uint32_t line;
    struct op *probe;           /* of the test so far: what it expects */
};

static bool starts(const struct script *s, size_t at, size_t end, const char *with)
{
    size_t n = strlen(with);
    return end - at >= n && !memcmp(s->text + at, with, n);
}

/* Whether a line begins so. */
static bool has_line(const char *text, size_t size, const char *with)
{
    size_t n = strlen(with);
    for (size_t at = 0; at + n <= size; at++)
        if ((!at || text[at - 1] == '\n') && !memcmp(text + at, with, n))
            return true;
    return false;
}

static const struct { const char *begins; enum driver_stage stage; } headers[] = {
    { "!!ARBvp", DRIVER_VERTEX }, { "!!VP", DRIVER_VERTEX }, { "!!NVvp", DRIVER_VERTEX },
    { "!!ARBfp", DRIVER_FRAGMENT }, { "!!FP", DRIVER_FRAGMENT }, { "!!NVfp", DRIVER_FRAGMENT },
};
enum { HEADERS = sizeof headers / sizeof *headers };

bool script_is_vpfp(const char *text, size_t size)
{
    bool vertex = false, fragment = false;
    for (size_t i = 0; i < HEADERS; i++)
        *(headers[i].stage == DRIVER_VERTEX ? &vertex : &fragment) |= has_line(text, size, headers[i].begins);
    return has_line(text, size, mark) || (vertex && fragment && !has_line(text, size, "[test]"));
}

static bool stop(struct reader *r, const char *message)
{
    return script_stop(r->s, SCRIPT_ERROR, (uint32_t)r->start, (uint32_t)(r->end - r->start), message);
}

static bool no_memory(struct reader *r)
{
    return script_stop(r->s, SCRIPT_UNREADABLE, 0, 0, "out of memory");
}

static bool next_line(struct reader *r, size_t *at)
{
    const struct script *s = r->s;
    if (*at >= s->size)
        return false;
    const char *newline = memchr(s->text + *at, '\n', s->size - *at);
    r->start = *at;
    r->end = newline ? (size_t)(newline - s->text) : s->size;
    *at = r->end + 1;
    while (r->start < r->end && (s->text[r->start] == ' ' || s->text[r->start] == '\t'))
        r->start++;
    r->line++;
    return true;
}

static bool says_nothing(const struct reader *r)
{
    const char *at = r->s->text + r->start;
    return r->start == r->end || *at == ';' || *at == '#' || *at == '\r';
}

/* ---- programs ---------------------------------------------------------------------------------------------- */

/* A program's lines up to the next header, those that say nothing left blank: so that its lines keep their numbers. */
static bool program(struct reader *r, enum driver_stage stage, size_t *at)
{
    struct script *s = r->s;
    struct script_program p = { .label = "", .file = s->path, .stage = stage, .line = r->line - 1 };
    char *text = arena_alloc(&s->arena, s->size - r->start + 2);
    size_t behind = *at;

    if (!text)
        return no_memory(r);
    do {
        if (p.size && starts(s, r->start, r->end, "!!"))
            break;
        if (!says_nothing(r)) {
            memcpy(text + p.size, s->text + r->start, r->end - r->start);
            p.size += r->end - r->start;
        }
        text[p.size++] = '\n';
        behind = *at;
        if (starts(s, r->start, r->end, "END"))
            break;
    } while (next_line(r, at));
    if (starts(s, r->start, r->end, "!!") && *at != behind)
        r->line--;
    *at = behind;
    text[p.size] = 0;
    p.text = text;
    if (stage != DRIVER_FRAGMENT) {
        if (s->stages[stage].text)
            return stop(r, "a second program of this stage");
        s->stages[stage] = p;
        return true;
    }
    size_t index = s->programs.count ? SIZE_MAX : vec_grow(&s->programs);
    if (index == SIZE_MAX)
        return stop(r, s->programs.count ? "a second program of this stage" : "out of memory");
    *(struct script_program *)vec_at(&s->programs, index) = p;
    return true;
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static struct op *push(struct reader *r, enum op_kind kind)
{
    size_t index = vec_grow(&r->s->ops);
    if (index == SIZE_MAX) {
        no_memory(r);
        return NULL;
    }
    struct op *op = vec_at(&r->s->ops, index);
    *op = (struct op){ .kind = kind, .offset = (uint32_t)r->start, .line = r->line };
    return op;
}

static bool push_parameter(struct reader *r, enum driver_stage stage, bool local, uint32_t index, const float v[4])
{
    struct op *op = push(r, OP_PARAMETER);
    if (!op)
        return false;
    op->u.parameter = (struct op_parameter){ .stage = stage, .local = local, .index = index };
    memcpy(op->u.parameter.bits, v, sizeof op->u.parameter.bits);
    return true;
}

/* What NV_vertex_program's c[0] to c[3] track in these tests: the matrix of the projection. */
static bool track_matrix(struct reader *r)
{
    static const float rows[4][4] = { { 2, 0, 0, -1 }, { 0, 2, 0, -1 }, { 0, 0, -1, 0 }, { 0, 0, 0, 1 } };
    for (uint32_t i = 0; i < 4; i++)
        if (!push_parameter(r, DRIVER_VERTEX, false, i, rows[i]))
            return false;
    return true;
}

static bool begin_picture(struct reader *r)
{
    struct op *op = push(r, OP_ORTHO);
    if (op)
        memcpy(op->u.ortho.box, (float[]){ 0, 1, 0, 1 }, sizeof op->u.ortho.box);
    return op;
}

static struct op *push_square(struct reader *r)
{
    static const float square[4] = { 0, 0, 1, 1 };
    struct op *op = push(r, OP_DRAW);
    if (op) {
        op->u.draw = (struct op_draw){ .mode = RASTER_TRIANGLE_STRIP, .instances = 1 };
        memcpy(op->u.draw.rect, square, sizeof square);
    }
    return op;
}

/* Programs without tests: white, with texture coordinates from 0 to 1. */
static bool draw_once(struct reader *r)
{
    struct op *op;
    if (!begin_picture(r) || !push(r, OP_CLEAR) || !(op = push_square(r)))
        return false;
    op->u.draw.textured = true;
    memcpy(op->u.draw.texture, op->u.draw.rect, sizeof op->u.draw.texture);
    return true;
}

/* The test that is before the end of the file, or the next one: everything is set, now it draws. */
static bool finish_test(struct reader *r)
{
    if (!r->probe)
        return true;
    struct op probe = *r->probe, *op = NULL;
    r->probe = NULL;
    if (begin_picture(r) && (op = push(r, OP_CLEAR_COLOR)))
        for (int i = 0; i < 4; i++)
            op->u.vector[i] = probe.u.probe_pixels.expected[i] > 0.5f ? 0 : 1;
    if (op && (op = push(r, OP_CLEAR)) && (op = push_square(r)))
        op->line = probe.line;
    if (!op || !(op = push(r, OP_PROBE_PIXELS)))
        return false;
    *op = probe;
    return true;
}

static bool index_of(const char *word, const char *name, uint32_t *index)
{
    size_t n = strlen(name);
    char digits[8] = "";
    int64_t v;
    if (strncmp(word, name, n) || word[n] != '[')
        return false;
    const char *close = strchr(word + n, ']');
    if (!close || close[1] || (size_t)(close - word) - n - 1 >= sizeof digits)
        return false;
    memcpy(digits, word + n + 1, (size_t)(close - word) - n - 1);
    if (!line_integer(digits, 0, 255, &v))
        return false;
    *index = (uint32_t)v;
    return true;
}

static bool setting(struct reader *r, struct op *probe)
{
    static const struct { const char *name; enum driver_stage stage; bool local; } parameters[] = {
        { "vertex.local", DRIVER_VERTEX, true }, { "vertex.environment", DRIVER_VERTEX, false },
        { "NVparameter", DRIVER_VERTEX, false }, { "fragment.local", DRIVER_FRAGMENT, true },
        { "fragment.environment", DRIVER_FRAGMENT, false },
    };
    struct line line;
    float v[4] = { 0, 0, 0, 0 };
    uint32_t index;

    if (!line_split(&r->s->arena, r->s->text, r->start, r->end, &line))
        return no_memory(r);
    for (size_t i = 0; i < 4; i++) {
        uint64_t bits;
        if (line.count != 5 || !number_parse(NUMBER_F32, line.word[1 + i], &bits))
            return stop(r, "expected a name and four numbers");
        memcpy(&v[i], &(uint32_t){ (uint32_t)bits }, sizeof v[i]);
    }
    if (!strcmp(line.word[0], "expected")) {
        *probe = (struct op){ .kind = OP_PROBE_PIXELS, .offset = (uint32_t)r->start, .line = r->line };
        probe->u.probe_pixels = (struct op_probe_pixels){ .components = 4, .rect = {
            (float)(r->s->width / 2), (float)(r->s->height / 2) } };
        memcpy(probe->u.probe_pixels.expected, v, sizeof v);
        r->probe = probe;
        return true;
    }
    if (index_of(line.word[0], "texcoord", &index) && index < SCRIPT_TEXCOORDS) {
        struct op *op = push(r, OP_TEXCOORD);
        if (!op)
            return false;
        op->u.attribute.index = index;
        memcpy(op->u.attribute.value, v, sizeof v);
        return true;
    }
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (index_of(line.word[0], parameters[i].name, &index))
            return push_parameter(r, parameters[i].stage, parameters[i].local, index, v);
    return stop(r, "expected 'expected', texcoord[N], vertex.local[N] or another parameter");
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

void script_parse_vpfp(struct script *s)
{
    struct reader r = { .s = s };
    struct op probe;
    size_t at = 0;
    bool ok = true, tests = false, tested = has_line(s->text, s->size, mark);

    s->pipeline = true;
    while (ok && next_line(&r, &at)) {
        size_t header = 0;
        if (says_nothing(&r))
            continue;
        while (header < HEADERS && !starts(s, r.start, r.end, headers[header].begins))
            header++;
        if (header < HEADERS) {
            bool tracks = starts(s, r.start, r.end, "!!VP");
            ok = program(&r, headers[header].stage, &at) && (!tracks || track_matrix(&r));
        } else if (starts(s, r.start, r.end, mark)) {
            ok = finish_test(&r);
            tests = true;
        } else if (tested) {
            ok = tests ? setting(&r, &probe) : stop(&r, "expected a program, which begins with !!ARB or !!VP");
        }
    }
    ok = ok && (tested ? finish_test(&r) : draw_once(&r));
    if (ok && !s->programs.count)
        script_stop(s, SCRIPT_ERROR, (uint32_t)s->size, 0, "no fragment program");
    else if (ok && !s->stages[DRIVER_VERTEX].text)
        script_stop(s, SCRIPT_ERROR, (uint32_t)s->size, 0, "no vertex program");
}
