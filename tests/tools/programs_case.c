/* Reads the users' corpus, a text of programs, and makes their inputs. A line that begins with @ is the corpus's own:
 *
 *     @case NAME          begins a program
 *     @in INPUTS          groups=X,Y,Z  px=W,H  sN=DATA (storage)  cN=DATA (constants)
 *                         lN=DATA (program.local from N on)  xN=DATA vN=DATA (texcoord, color: px of them)
 *                         tN=FORMAT,W,H,FILTER,DATA (texture unit, 2D)  iN=FORMAT,T (image unit, of texture T)
 *                         vertices=N  p=DATA n=DATA dN=DATA xN=DATA (of vertices: position, normal, colours, texcoord;
 *                         of a program that names generic attributes those, in this order)
 *                         pointers (program.local[N] is where storage N stands, and its size)
 *                         hN=tUNIT hN=iUNIT (program.local[N] is the handle of a texture or an image)
 *     @out WHERE WORDS   @sum WHERE HASHES   @out WHERE =   @rejected POSITION
 *
 * DATA: zero,N  word,N  iota,N  half,N  int,LOW,HIGH,N  float,LOW,HIGH,N  double,LOW,HIGH,N; N 32-bit words (of
 * doubles: N doubles). They come from a generator whose seed is the name up to its last slash and the input's own name.
 */
#include "tests/tools/programs_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/driver/texture_words.h"

/* ---- text -------------------------------------------------------------------------------------------------------
 */

static void append(char **to, size_t *used, const char *line, size_t n)
{
    char *more = realloc(*to, *used + n + 1);
    if (!more)
        abort();
    memcpy(more + *used, line, n);
    more[ *used += n] = 0;
    *to = more;
}

static void set(char **to, const char *line)
{
    size_t used = 0;
    free(*to);
    *to = NULL;
    append(to, &used, line, strcspn(line, "\n"));
}

/* A line that begins with @; false where none such is known. */
static bool own_line(struct users_program *p, const char *line, size_t *answered)
{
    if (!strncmp(line, "@in", 3))
        set(&p->inputs, line + 3 + (line[3] == ' '));
    else if (!strncmp(line, "@out ", 5) || !strncmp(line, "@sum ", 5) || !strncmp(line, "@rejected ", 10))
        append(&p->answers, answered, line + 1, strlen(line) - 1);
    else
        return false;
    return true;
}

int users_program_read(FILE *in, struct users_program *p)
{
    char *line = NULL;
    size_t capacity = 0, answered = 0;
    long n;
    *p = (struct users_program){0};
    while ((n = getline(&line, &capacity, in)) > 0) {
        if (!strncmp(line, "@case ", 6)) {
            set(&p->name, line + 6);
        } else if (!strncmp(line, "@end", 4)) {
            break;
        } else if (p->name && line[0] == '@') {
            if (!own_line(p, line, &answered)) {
                fprintf(stderr, "programs: %s: %s", p->name, line);
                n = -2;
                break;
            }
        } else if (p->name) {
            append(&p->text, &p->size, line, (size_t)n);
        }
    }
    free(line);
    if (!p->name)
        return n == -2 ? -1 : 0;
    if (!p->text || !p->inputs || n < 0) {
        fprintf(stderr, "programs: %s is cut short\n", p->name);
        return -1;
    }
    return 1;
}

void users_program_free(struct users_program *p)
{
    free(p->name);
    free(p->inputs);
    free(p->text);
    free(p->answers);
}

void users_program_write(FILE *out, const struct users_program *p)
{
    fprintf(out, "@case %s\n@in %s\n", p->name, p->inputs);
    fwrite(p->text, 1, p->size, out);
    if (p->size && p->text[p->size - 1] != '\n')
        fputc('\n', out);
}

/* ---- data -------------------------------------------------------------------------------------------------------
 */

static uint32_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) >> 16);
}

static uint64_t seed_of(const char *name, const char *key)
{
    const char *end = strrchr(name, '/');
    uint64_t h = 0xcbf29ce484222325u;
    for (; name < end; name++)
        h = (h ^ (uint8_t)*name) * 0x100000001b3u;
    for (; *key && *key != '='; key++)
        h = (h ^ (uint8_t)*key) * 0x100000001b3u;
    return h;
}

static void *keep(struct users_case *c, size_t size)
{
    size_t room = (size + 63) / 64 * 64 + 64;
    void *p = c->blocks_used < sizeof c->blocks / sizeof *c->blocks ? aligned_alloc(64, room) : NULL;
    if (!p)
        abort();
    memset(p, 0, room);
    return c->blocks[c->blocks_used++] = p;
}

static uint32_t word_of(const char *kind, double low, double high, uint64_t *state, size_t i)
{
    uint32_t r = strcmp(kind, "iota") ? next(state) : (uint32_t)i, word;
    if (!strcmp(kind, "int"))
        return (uint32_t)(int32_t)(low + floor((high - low + 1) * (r / 4294967296.0)));
    if (!strcmp(kind, "half"))
        return (r & 0x83ff83ffu) | (10 + (r >> 10) % 8) << 10 | (10 + (r >> 26) % 8) << 26;
    if (strcmp(kind, "float"))
        return r;
    float f = (float)(low + (high - low) * (r / 4294967296.0));
    memcpy(&word, &f, 4);
    return word;
}

/* DATA; `count` where it names no number of words itself. NULL where it is none. */
static void *data_of(struct users_case *c, const struct users_program *p, const char *key, const char *text,
                     size_t count, size_t *size)
{
    char kind[16] = "";
    double n[3] = {0};
    int end = 0, got = 0;
    if (sscanf(text, "%15[a-z]%n", kind, &end) != 1)
        return NULL;
    for (const char *at = text + end; got < 3 && *at == ','; got++) {
        char *behind;
        n[got] = strtod(at + 1, &behind);
        at = behind;
    }
    bool ranged = !strcmp(kind, "int") || !strcmp(kind, "float") || !strcmp(kind, "double");
    if (got > (ranged ? 2 : 0))
        count = (size_t)n[ranged ? 2 : 0];
    uint64_t state = seed_of(p->name, key);
    if (!strcmp(kind, "double")) {
        double *d = keep(c, *size = count * 8);
        for (size_t i = 0; i < count; i++) {
            double high = next(&state), low = next(&state);
            d[i] = n[0] + (n[1] - n[0]) * ((high + low / 4294967296.0) / 4294967296.0);
        }
        return d;
    }
    uint32_t *w = keep(c, *size = count * 4);
    for (size_t i = 0; strcmp(kind, "zero") && i < count; i++)
        w[i] = word_of(kind, n[0], n[1], &state, i);
    return w;
}

/* ---- inputs -----------------------------------------------------------------------------------------------------
 */

static bool add_buffer(struct users_case *c, const struct users_program *p, const char *key, unsigned n,
                       const char *text)
{
    bool storage = key[0] == 's';
    size_t *count = storage ? &c->c.storage_count : &c->c.constant_count;
    struct driver_buffer *b = storage ? c->storage : c->constants;
    if (*count == PROGRAM_BUFFERS)
        return false;
    b += (*count)++;
    b->binding = n;
    b->bring_back = storage;
    return (b->data = data_of(c, p, key, text, 64, &b->size)) != NULL;
}

static bool add_locals(struct users_case *c, const struct users_program *p, const char *key, unsigned n,
                       const char *text)
{
    size_t size;
    const uint8_t *data = data_of(c, p, key, text, 4, &size);
    for (size_t i = 0; data && i < size / 16; i++) {
        if (c->c.local_count == PROGRAM_PARAMETERS)
            return false;
        struct driver_parameter *l = &c->local[c->c.local_count++];
        l->index = n + (uint32_t)i;
        memcpy(l->bits, data + 16 * i, 16);
    }
    return data != NULL;
}

static bool add_texture(struct users_case *c, const struct users_program *p, const char *key, unsigned n,
                        const char *text)
{
    char format[24], filter[32], data[64];
    unsigned w, h;
    if (c->c.texture_count == PROGRAM_BUFFERS ||
        sscanf(text, "%23[^,],%u,%u,%31[^,],%63s", format, &w, &h, filter, data) != 5)
        return false;
    struct driver_texture *d = &c->textures[c->c.texture_count++];
    struct gp5_texture *t = &d->texture;
    int f = texture_word_find(TEXTURE_FORMAT, format, strlen(format));
    int by = texture_word_find(TEXTURE_FILTER, filter, strlen(filter));
    if (f < 0 || by < 0)
        return false;
    texture_begin(t, GP5_TEXTURE_2D);
    t->unit = n;
    t->format = (uint8_t)f;
    t->size[0] = w;
    t->size[1] = h;
    t->levels = 1;
    t->sampler.min_filter = t->sampler.mag_filter = (uint8_t)by;
    texture_measure(t);
    size_t size;
    t->data = data_of(c, p, key, data, t->bytes / 4, &size);
    return t->data && size == t->bytes;
}

static bool add_image(struct users_case *c, unsigned n, const char *text)
{
    char format[24];
    unsigned of;
    if (c->c.image_count == PROGRAM_BUFFERS || sscanf(text, "%23[^,],%u", format, &of) != 2)
        return false;
    struct gp5_image *i = &c->images[c->c.image_count++];
    int f = texture_word_find(TEXTURE_FORMAT, format, strlen(format));
    *i = (struct gp5_image){.unit = n, .texture = of, .format = (uint8_t)f, .layered = true};
    for (size_t k = 0; k < c->c.texture_count; k++)
        if (c->textures[k].texture.unit == of)
            c->textures[k].bring_back = true;
    return f >= 0;
}

static bool add_attribute(struct users_case *c, const struct users_program *p, const char *key, unsigned n,
                          const char *text)
{
    struct driver_raster *r = &c->c.raster;
    if (r->attribute_count == PROGRAM_BUFFERS * 2)
        return false;
    struct driver_attribute *a = &c->attributes[r->attribute_count++];
    a->kind = key[0] == 'x' ? DRIVER_TEXCOORD : DRIVER_COLOR;
    a->index = n;
    return (a->values = data_of(c, p, key, text, (size_t)r->width * r->height * 4, &a->size)) != NULL;
}

/* ---- vertices ---------------------------------------------------------------------------------------------------
 */

static const char *const generic[PROGRAM_BUFFERS] = {
    "vertex.attrib[0]", "vertex.attrib[1]", "vertex.attrib[2]", "vertex.attrib[3]",
    "vertex.attrib[4]", "vertex.attrib[5]", "vertex.attrib[6]", "vertex.attrib[7]"};
static const char *const texcoords[] = {"vertex.texcoord[0]", "vertex.texcoord[1]", "vertex.texcoord[2]",
                                        "vertex.texcoord[3]"};
static const char *const results[] = {"result.position",    "result.color",       "result.color.secondary",
                                      "result.fogcoord",    "result.pointsize",   "result.texcoord[0]",
                                      "result.texcoord[1]", "result.texcoord[2]", "result.texcoord[3]"};

static const char *input_name(const struct users_program *p, const char *key, unsigned n, size_t order)
{
    if (strstr(p->text, "vertex.attrib["))
        return generic[order];
    switch (key[0]) {
    case 'p': return "vertex.position";
    case 'n': return "vertex.normal";
    case 'd': return n ? "vertex.color.secondary" : "vertex.color";
    default: return n < sizeof texcoords / sizeof *texcoords ? texcoords[n] : NULL;
    }
}

static bool add_array(struct users_case *c, const struct users_program *p, const char *key, unsigned n,
                      const char *text)
{
    struct driver_vertices *v = &c->c.vertices;
    if (v->input_count == PROGRAM_BUFFERS)
        return false;
    struct driver_array *a = &c->arrays[v->input_count];
    a->binding = input_name(p, key, n, v->input_count++);
    a->data = data_of(c, p, key, text, (size_t)v->count * 4, &a->size);
    return a->binding && a->data && a->size == (size_t)v->count * 16;
}

/* Whether the text writes this result: its name, and not that of another that begins so. */
static bool writes(const char *text, const char *result)
{
    size_t n = strlen(result);
    for (const char *at = text; (at = strstr(at, result)); at += n)
        if (strncmp(at + n, ".secondary", 10) && (at[n] < '0' || at[n] > '9'))
            return true;
    return false;
}

static void add_results(struct users_case *c, const struct users_program *p)
{
    c->c.vertices.results = c->results;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (writes(p->text, results[i]))
            c->results[c->c.vertices.result_count++] = results[i];
}

/* ---- others -----------------------------------------------------------------------------------------------------
 */

/* program.local[N]: the address of storage N in two words, its size in the third, as back ends without storage
 * buffers have it. */
static bool add_pointers(struct users_case *c)
{
    for (size_t i = 0; i < c->c.storage_count; i++) {
        struct driver_parameter *l = &c->local[c->c.local_count++];
        *l =
            (struct driver_parameter){.index = c->storage[i].binding, .bits = {0, 0, (uint32_t)c->storage[i].size}};
        c->pointers[c->c.pointer_count++] = (struct driver_pointer){
            .kind = POINTER_STORAGE, .of = c->storage[i].binding, .place = POINTER_IN_LOCAL, .index = l->index};
    }
    return true;
}

/* program.local[n]: the handle of a texture or an image, as the driver's own compiler wants it. */
static bool add_handle(struct users_case *c, unsigned n, const char *text)
{
    if (c->c.local_count == PROGRAM_PARAMETERS || c->c.pointer_count == PROGRAM_BUFFERS)
        return false;
    c->local[c->c.local_count++] = (struct driver_parameter){.index = n};
    c->pointers[c->c.pointer_count++] =
        (struct driver_pointer){.kind = *text == 'i' ? POINTER_IMAGE : POINTER_TEXTURE,
                                .of = (uint32_t)atoi(text + 1),
                                .place = POINTER_IN_LOCAL,
                                .index = n};
    return true;
}

static bool add(struct users_case *c, const struct users_program *p, const char *word)
{
    unsigned *groups = c->c.groups, n = 0;
    int end = 0;
    if (!strcmp(word, "pointers"))
        return add_pointers(c);
    if (!strncmp(word, "vertices=", 9)) {
        c->c.stage = DRIVER_VERTEX;
        return sscanf(word + 9, "%u", &c->c.vertices.count) == 1;
    }
    if (!strncmp(word, "groups=", 7))
        return sscanf(word + 7, "%u,%u,%u", &groups[0], &groups[1], &groups[2]) >= 1;
    if (!strncmp(word, "px=", 3)) {
        c->c.stage = DRIVER_FRAGMENT;
        c->c.raster.primitive = DRIVER_POINTS;
        c->c.raster.color_outputs = 1;
        return sscanf(word + 3, "%u,%u", &c->c.raster.width, &c->c.raster.height) == 2;
    }
    if (word[1] != '=' && (sscanf(word + 1, "%u=%n", &n, &end) != 1 || !end))
        return false;
    const char *text = word + 1 + (end ? end : 1);
    if (c->c.stage == DRIVER_VERTEX && strchr("pndx", word[0]))
        return add_array(c, p, word, n, text);
    switch (word[0]) {
    case 's':
    case 'c': return add_buffer(c, p, word, n, text);
    case 'l': return add_locals(c, p, word, n, text);
    case 't': return add_texture(c, p, word, n, text);
    case 'i': return add_image(c, n, text);
    case 'h': return add_handle(c, n, text);
    case 'x':
    case 'v': return add_attribute(c, p, word, n, text);
    default: return false;
    }
}

bool users_case_make(struct users_case *c, const struct users_program *p)
{
    char *copy = NULL, *at, *word;
    *c = (struct users_case){.c = {.stage = DRIVER_COMPUTE, .groups = {1, 1, 1}}};
    c->c.program = p->text;
    c->c.program_size = p->size;
    c->c.storage = c->storage;
    c->c.constants = c->constants;
    c->c.local = c->local;
    c->c.textures = c->textures;
    c->c.images = c->images;
    c->c.pointers = c->pointers;
    c->c.raster.attributes = c->attributes;
    c->c.vertices.inputs = c->arrays;
    set(&copy, p->inputs);
    for (word = strtok_r(copy, " ", &at); word; word = strtok_r(NULL, " ", &at))
        if (!add(c, p, word)) {
            fprintf(stderr, "programs: %s: no such input: %s\n", p->name, word);
            free(copy);
            return false;
        }
    free(copy);
    if (c->c.stage == DRIVER_VERTEX)
        add_results(c, p);
    return true;
}

void users_case_free(struct users_case *c)
{
    while (c->blocks_used)
        free(c->blocks[--c->blocks_used]);
}
