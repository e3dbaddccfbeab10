/* What NVIDIA's compiler made of GLSL for the graphics stages (tests/corpus/stages.tar.xz), each on a driver, or in a
 * recording of one, and on the reference.
 *
 *   stage_pairs [--driver=KIND] [--record=FILE] FILE.vp|.tcp|.tep|.gp|.fp ...
 *   stage_pairs --replay=FILE FILE ...
 *   stage_pairs --alone FILE ...            whether the reference runs them
 *
 * Attributes, parameters, buffers and textures are made up from what the text names; a program that writes memory runs
 * on one primitive, others on several. A control program also gives the levels that it leaves out, or nothing of it
 * would be seen. The last line counts. */
#include "tests/tools/stage_programs.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 65536, ATTRIBS = 4, LOCALS = 32, UNITS = 32, BUFFERS = 8, VERTICES = 192 };

struct pair {
    char text[TEXT], beside[2][4096];
    size_t size;
    struct subject subject, where;      /* where: the points of a tessellation evaluation program alone */
    uint32_t words[ATTRIBS + 1][VERTICES * 4];
    struct driver_array arrays[ATTRIBS + 1];
    struct driver_attribute attributes[ATTRIBS];
    const char *results[SUBJECT_ARRAYS], *where_results[2];
    char where_text[1024];
    struct driver_parameter locals[LOCALS];
    struct driver_buffer storage[BUFFERS], constants[BUFFERS], counters[2];
    struct driver_texture textures[UNITS];
    struct gp5_image images[UNITS];
    struct driver_pointer pointers[UNITS];
    uint32_t subroutines[4];
};

static const char *const attribs[] = {
    "result.attrib[0]",  "result.attrib[1]",  "result.attrib[2]",  "result.attrib[3]",
    "result.attrib[4]",  "result.attrib[5]",  "result.attrib[6]",  "result.attrib[7]",
    "result.attrib[8]",  "result.attrib[9]",  "result.attrib[10]", "result.attrib[11]",
    "result.attrib[12]", "result.attrib[13]", "result.attrib[14]", "result.attrib[15]"};
static const char *const inputs[] = {"vertex.attrib[0]", "vertex.attrib[1]", "vertex.attrib[2]", "vertex.attrib[3]"};
static const char *const fragment_inputs[] = {"fragment.attrib[0]", "fragment.attrib[1]", "fragment.attrib[2]",
                                              "fragment.attrib[3]"};

/* ---- what the text names --------------------------------------------------------------------------------------------
 */

static bool says(const struct pair *p, const char *what)
{
    return strstr(p->text, what) != NULL;
}

static unsigned number_behind(const struct pair *p, const char *what, unsigned otherwise)
{
    const char *at = strstr(p->text, what);

    return at ? (unsigned)strtoul(at + strlen(what), NULL, 10) : otherwise;
}

/* Whether "PREFIX[n]" is named, by itself or in a range. */
static bool names(const struct pair *p, const char *prefix, unsigned n)
{
    for (const char *at = p->text; (at = strstr(at, prefix)); at++) {
        char *end;
        if (at[strlen(prefix)] != '[')
            continue;
        unsigned first = (unsigned)strtoul(at + strlen(prefix) + 1, &end, 10), last = first;
        if (end == at + strlen(prefix) + 1)
            continue;
        if (!strncmp(end, "..", 2))
            last = (unsigned)strtoul(end + 2, NULL, 10);
        if (n >= first && n <= last)
            return true;
    }
    return false;
}

/* ---- textures, images and addresses behind the handles in c[]
 * --------------------------------------------------------- */

static const struct target { const char *name; uint8_t kind; bool shadow;
} targets[] = {{"1D", GP5_TEXTURE_1D, false},
               {"2D", GP5_TEXTURE_2D, false},
               {"3D", GP5_TEXTURE_3D, false},
               {"CUBE", GP5_TEXTURE_CUBE, false},
               {"RECT", GP5_TEXTURE_RECT, false},
               {"ARRAY1D", GP5_TEXTURE_ARRAY1D, false},
               {"ARRAY2D", GP5_TEXTURE_ARRAY2D, false},
               {"ARRAYCUBE", GP5_TEXTURE_ARRAYCUBE, false},
               {"BUFFER", GP5_TEXTURE_BUFFER, false},
               {"2DMS", GP5_TEXTURE_2DMS, false},
               {"ARRAY2DMS", GP5_TEXTURE_ARRAY2DMS, false},
               {"SHADOW1D", GP5_TEXTURE_1D, true},
               {"SHADOW2D", GP5_TEXTURE_2D, true},
               {"SHADOWCUBE", GP5_TEXTURE_CUBE, true},
               {"SHADOWRECT", GP5_TEXTURE_RECT, true},
               {"SHADOWARRAY1D", GP5_TEXTURE_ARRAY1D, true},
               {"SHADOWARRAY2D", GP5_TEXTURE_ARRAY2D, true},
               {"SHADOWARRAYCUBE", GP5_TEXTURE_ARRAYCUBE, true}};

enum behind { NOTHING, TEXTURE, IMAGE, ADDRESS };
struct handle { enum behind what; const struct target *target; uint8_t format; };

static const struct target *target_of(const char *line)
{
    const struct target *found = NULL;

    for (const char *at = line; *at && *at != ';'; at++)
        if (*at == ',' && at[1] == ' ')
            for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
                size_t n = strlen(targets[i].name);
                if (!strncmp(at + 2, targets[i].name, n) && (at[2 + n] == ';' || at[2 + n] == ','))
                    found = &targets[i];
            }
    return found;
}

static uint8_t format_of(const char *line, bool image, bool shadow)
{
    if (shadow)
        return GP5_FORMAT_DEPTH32F;
    if (!strncmp(line, "ATOMIM", 6))
        return strstr(line, ".F32 ") ? GP5_FORMAT_R32F : strstr(line, ".S32 ") ? GP5_FORMAT_R32I
             : strstr(line, "64 ") ? GP5_FORMAT_RG32UI : GP5_FORMAT_R32UI;
    const char *type = strchr(line, ' ');
    char letter = type && type[-2] == '.' ? type[-1] : strstr(line, ".S") ? 'S' : strstr(line, ".U") ? 'U' : 'F';
    return letter == 'S'   ? (image ? GP5_FORMAT_R32I : GP5_FORMAT_RGBA32I)
           : letter == 'U' ? (image ? GP5_FORMAT_R32UI : GP5_FORMAT_RGBA32UI)
                           : GP5_FORMAT_RGBA32F;
}

/* Handles come as PK64.U D0.x, c[7]; and are used as handle(D0.x), or as an address. */
static void find_handles(const struct pair *p, struct handle handles[LOCALS])
{
    int holds[16][4];
    struct handle any = {0};

    memset(holds, -1, sizeof holds);
    for (const char *line = p->text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char one[512], component, index[16];
        unsigned d;
        snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
        const char *use = strstr(one, "handle(D"), *address = strstr(one, ", D");
        if (sscanf(one, "PK64.U D%u.%c, c[%15[^]]", &d, &component, index) == 3 && d < 16 &&
            strchr("xyzw", component)) {
            holds[d][strchr("xyzw", component) - "xyzw"] = index[0] == 'R' ? LOCALS : atoi(index);
            continue;
        }
        bool image = !strncmp(one, "LOADIM", 6) || !strncmp(one, "STOREIM", 7) || !strncmp(one, "ATOMIM", 6) ||
                     !strncmp(one, "IMQ", 3);
        bool memory = !image && (!strncmp(one, "LOAD.", 5) || !strncmp(one, "STORE.", 6) || !strncmp(one, "ATOM.", 5));
        const char *at = use ? use + 8 : memory && address ? address + 3 : NULL;
        if (!at || sscanf(at, "%u.%c", &d, &component) != 2 || d > 15 || !strchr("xyzw", component))
            continue;
        int k = holds[d][strchr("xyzw", component) - "xyzw"];
        struct handle h = {memory ? ADDRESS : image ? IMAGE : TEXTURE, target_of(one), 0};
        if (!memory && !h.target)
            continue;
        h.format = format_of(one, image, h.target && h.target->shadow);
        if (k == LOCALS)
            any = h;
        else if (k >= 0 && k < LOCALS && handles[k].what == NOTHING)
            handles[k] = h;
    }
    for (unsigned k = 0; k < 4; k++)
        if (handles[k].what == NOTHING)
            handles[k] = any;
    if (says(p, "LOAD.") && !says(p, "handle("))        /* sums of addresses are not followed: all are */
        for (unsigned k = 0; k < LOCALS; k++)
            if (names(p, "program.local", k))
                handles[k] = (struct handle){ADDRESS, NULL, 0};
}

static uint32_t noise(struct random *r, bool integer)
{
    float value = (float)random_below(r, 4096) / 1024;
    uint32_t word;

    memcpy(&word, &value, 4);
    return integer ? random_below(r, 8) : word;
}

static bool give_texture(struct pair *p, struct random *r, uint32_t unit, const struct handle *h)
{
    static const uint32_t depth[GP5_TEXTURE_KINDS] = {1, 1, 4, 6, 1, 4, 4, 12, 1, 1, 4};
    struct driver_case *c = &p->subject.c;
    struct driver_texture *d = &p->textures[c->texture_count++];
    struct gp5_texture *t = &d->texture;
    bool flat = h->target->kind == GP5_TEXTURE_1D || h->target->kind == GP5_TEXTURE_ARRAY1D ||
                h->target->kind == GP5_TEXTURE_BUFFER;
    bool one = h->what == IMAGE || h->target->kind == GP5_TEXTURE_RECT || h->target->kind >= GP5_TEXTURE_BUFFER;
    const struct gp5_format_info *f = gp5_format_info(h->format);

    *t = (struct gp5_texture){.unit = unit, .kind = h->target->kind, .format = h->format,
                              .size = {8, flat ? 1 : 8, depth[h->target->kind]}, .levels = one ? 1 : 4,
                              .samples = gp5_texture_is_multisample(h->target->kind) ? 4 : 0};
    t->sampler = (struct gp5_sampler){.min_filter = one ? GP5_FILTER_NEAREST : GP5_FILTER_NEAREST_MIPMAP_NEAREST,
                                      .wrap = {GP5_WRAP_CLAMP_TO_EDGE, GP5_WRAP_CLAMP_TO_EDGE, GP5_WRAP_CLAMP_TO_EDGE},
                                      .compare = h->target->shadow ? GP5_COMPARE_GREATER : GP5_COMPARE_NONE,
                                      .min_lod = -1000, .max_lod = 1000};
    for (uint32_t level = 0; level < t->levels; level++) {
        uint32_t size[3];
        gp5_texture_level(t, level, size);
        t->bytes += (size_t)size[0] * size[1] * size[2] * f->bytes * (t->samples ? t->samples : 1);
    }
    uint32_t *texels = aligned_alloc(16, (t->bytes + 15) / 16 * 16);
    for (size_t i = 0; texels && i < t->bytes / 4; i++) {
        float value = (float)random_below(r, 1024) / 1024;
        texels[i] = random_below(r, 256);
        if (f->kind == GP5_KIND_FLOAT)
            memcpy(&texels[i], &value, 4);
    }
    t->data = (uint8_t *)texels;
    if (h->what == IMAGE) {
        d->bring_back = !t->samples;
        p->images[c->image_count++] = (struct gp5_image){
            .unit = unit, .texture = unit, .layered = depth[h->target->kind] > 1, .format = h->format};
    }
    return texels != NULL;
}

static bool give_buffer(struct random *r, struct driver_buffer *b, uint32_t binding, bool back, bool zero)
{
    uint32_t *words = malloc(1024);

    for (unsigned i = 0; words && i < 256; i++)
        words[i] = zero ? 0 : noise(r, back && i % 3 == 2);
    *b = (struct driver_buffer){binding, words, 1024, back};
    return words != NULL;
}

/* What begins the list that a program follows: its second word of 64 bits goes to itself. Of memory with addresses
 * nothing is compared. */
static void close_list(struct pair *p)
{
    struct driver_case *c = &p->subject.c;

    p->pointers[c->pointer_count++] = (struct driver_pointer){POINTER_STORAGE, 0, POINTER_IN_STORAGE, 0, 16};
    p->storage[0].bring_back = false;
}

static bool give_memory(struct pair *p, struct random *r)
{
    struct driver_case *c = &p->subject.c;
    struct handle handles[LOCALS] = {{0}};
    bool ok = true;

    find_handles(p, handles);
    for (uint32_t k = 0; k < LOCALS; k++) {
        if (!names(p, "program.local", k))
            continue;
        struct driver_parameter *l = &p->locals[c->local_count++];
        *l = (struct driver_parameter){k, {0}};
        for (unsigned m = 0; m < 4; m++)
            l->bits[m] = noise(r, false);
        const struct handle *h = &handles[k];
        if (h->what == NOTHING)
            continue;
        p->pointers[c->pointer_count++] = (struct driver_pointer){
            h->what == ADDRESS ? POINTER_STORAGE : h->what == IMAGE ? POINTER_IMAGE : POINTER_TEXTURE,
            h->what == ADDRESS ? (uint32_t)c->storage_count : k, POINTER_IN_LOCAL, k, 0};
        if (h->what == ADDRESS) {
            ok = ok && c->storage_count < BUFFERS &&
                 give_buffer(r, &p->storage[c->storage_count], (uint32_t)c->storage_count, true, true);
            c->storage_count++;
        } else {
            ok = ok && give_texture(p, r, k, h);
        }
    }
    if (says(p, "\nLOAD."))
        close_list(p);
    for (uint32_t k = 0; k < 5; k++) {
        if (names(p, "program.storage", k))
            ok = ok && give_buffer(r, &p->storage[c->storage_count++], k, true, false);
        if (names(p, "program.buffer", k))
            ok = ok && give_buffer(r, &p->constants[c->constant_count++], k, false, false);
        if (k < 2 && names(p, "program.counter", k)) {
            ok = ok && give_buffer(r, &p->counters[c->counter_count], k, true, true);
            p->counters[c->counter_count++].size = 64;
        }
        if (k < 4 && names(p, "program.subroutine", k))
            p->subroutines[c->subroutine_count++] = k % 3;
    }
    c->local = p->locals;
    c->storage = p->storage;
    c->constants = p->constants;
    c->counters = p->counters;
    c->textures = p->textures;
    c->images = p->images;
    c->pointers = p->pointers;
    c->subroutines = p->subroutines;
    return ok;
}

/* ---- stages
 * -------------------------------------------------------------------------------------------------------------- */

static const char pass_on[] = "!!NVvp5.0\nMOV result.position, vertex.position;\nMOV result.attrib[0], "
                              "vertex.attrib[1];\nMOV result.attrib[1], vertex.attrib[2];\n"
                              "MOV result.attrib[2], vertex.attrib[3];\nMOV result.pointsize, vertex.attrib[1].x;\nMOV "
                              "result.clip[0].x, vertex.attrib[1].x;\n"
                              "MOV result.clip[1].x, vertex.attrib[1].y;\nEND\n";

static void add(struct pair *p, const char *captured, const char *binding, int vertex)
{
    struct driver_vertices *v = &p->subject.c.vertices;

    if (v->result_count == SUBJECT_ARRAYS)
        return;
    p->subject.planes[v->result_count] = (struct subject_plane){binding, vertex};
    p->results[v->result_count++] = captured;
}

static void add_results(struct pair *p)
{
    static const char *const single[] = {"result.position", "result.pointsize"};
    static const char *const clips[] = {"result.clip[0]", "result.clip[1]", "result.clip[2]", "result.clip[3]"};

    for (unsigned i = 0; i < 2; i++)
        if (says(p, single[i]))
            add(p, single[i], single[i], 0);
    for (unsigned i = 0; i < 6; i++)
        if (names(p, "result.attrib", i))
            add(p, attribs[i], attribs[i], 0);
    for (unsigned i = 0; i < 4; i++)
        if (names(p, "result.clip", i))
            add(p, clips[i], clips[i], 0);
    if (!p->subject.c.vertices.result_count)
        add(p, "result.position", "result.position", 0);
}

static void give_arrays(struct pair *p, struct driver_case *c)
{
    struct driver_vertices *v = &c->vertices;
    bool vertex = c->stage == DRIVER_VERTEX;

    for (unsigned i = 0; i < ATTRIBS; i++) {
        p->arrays[i] = (struct driver_array){inputs[i], p->words[i], (size_t)v->count * 16};
        if (vertex || i)
            p->subject.reads[i] = inputs[vertex ? i : i - 1];
    }
    v->input_count = ATTRIBS;
    p->arrays[0].binding = "vertex.position";
    p->subject.reads[0] = "vertex.position";
    v->inputs = p->arrays;
    v->results = p->results;
}

static const unsigned needs[] = {1, 2, 3, 4, 6};

static void shape_geometry(struct pair *p, struct driver_vertices *v, bool writes)
{
    static const char *const in[] = {"PRIMITIVE_IN POINTS", "PRIMITIVE_IN LINES;", "PRIMITIVE_IN TRIANGLES;",
                                     "PRIMITIVE_IN LINES_A", "PRIMITIVE_IN TRIANGLES_A"};

    for (unsigned i = 0; i < 5; i++)
        if (says(p, in[i]))
            v->assembly = (enum driver_assembly)i;
    v->captured = says(p, "PRIMITIVE_OUT POINTS") ? DRIVER_VERTEX_POINTS
                  : says(p, "LINE_STRIP")         ? DRIVER_VERTEX_LINES
                                                  : DRIVER_VERTEX_TRIANGLES;
    v->count = needs[v->assembly] * (writes ? 1 : 8);
    v->beside[DRIVER_VERTEX] = pass_on;
    v->most = 4096;
    add_results(p);
}

static void add_levels(struct pair *p)
{
    char *first = strstr(p->text, "MOV.F result.patch.tessouter[0].x");

    if (!first)
        return;
    static const char levels[] = "MOV.F result.patch.tessouter[1].x, {1, 0, 0, 0};\n";
    memmove(first + sizeof levels - 1, first, strlen(first) + 1);
    memcpy(first, levels, sizeof levels - 1);
    p->size += sizeof levels - 1;
}

static void shape_control(struct pair *p, struct driver_vertices *v, bool writes)
{
    unsigned threads = number_behind(p, "VERTICES_OUT ", 1), shown = threads < 3 ? threads : 3, result = 0;
    char *text = p->beside[0];
    size_t n = (size_t)sprintf(text, "!!NVtep5.0\nTESS_MODE ISOLINES;\nTESS_SPACING EQUAL;\nTESS_POINT_MODE;\n");

    add_levels(p);
    for (unsigned k = 0; k < shown; k++) {
        n += (size_t)sprintf(text + n, "MOV result.attrib[%u], vertex[%u].position;\n", result, k);
        add(p, attribs[result++], says(p, "result.position") ? "result.position" : NULL, (int)k);
        for (unsigned i = 0; i < 2; i++)
            if (names(p, "result.attrib", i)) {
                n += (size_t)sprintf(text + n, "MOV result.attrib[%u], vertex[%u].attrib[%u];\n", result, k, i);
                add(p, attribs[result++], attribs[i], (int)k);
            }
    }
    n += (size_t)sprintf(text + n, "MOV.S result.attrib[%u].x, primitive.id.x;\n", result);
    p->subject.patch = (int)result;
    add(p, attribs[result++], NULL, 0);
    static const char *const patch[] = {"result.patch.attrib[0]", "result.patch.attrib[1]"};
    for (unsigned i = 0; i < 2; i++)
        if (names(p, "result.patch.attrib", i)) {
            n += (size_t)sprintf(text + n, "MOV result.attrib[%u], primitive.patch.attrib[%u];\n", result, i);
            add(p, attribs[result++], patch[i], -1);
        }
    sprintf(text + n, "MOV result.position, vertex[0].position;\nEND\n");
    v->patch_vertices = 3;
    v->count = 3 * (writes ? 1 : 8);
    v->assembly = DRIVER_VERTEX_PATCHES;
    v->most = 4096;
    v->beside[DRIVER_VERTEX] = pass_on;
    v->beside[DRIVER_TESS_EVALUATION] = text;
    p->subject.threads = threads;
}

static void shape_evaluation(struct pair *p, struct driver_vertices *v, bool writes)
{
    const float one = 1;
    size_t n = (size_t)sprintf(p->where_text, "!!NVtep5.0\n");

    for (const char *at = p->text; (at = strstr(at, "\nTESS_")); at++)
        n += (size_t)sprintf(p->where_text + n, "%.*s\n", (int)strcspn(at + 1, "\n"), at + 1);
    sprintf(p->where_text + n, "MOV result.position, vertex[0].position;\nMOV result.attrib[0], vertex.tesscoord;\n"
                               "MOV.S result.attrib[1].x, primitive.id.x;\nEND\n");
    v->patch_vertices = 3;
    v->count = 3 * (writes ? 1 : 8);
    v->assembly = DRIVER_VERTEX_PATCHES;
    v->captured = says(p, "TESS_POINT_MODE") ? DRIVER_VERTEX_POINTS
                  : says(p, "ISOLINES")      ? DRIVER_VERTEX_LINES
                                             : DRIVER_VERTEX_TRIANGLES;
    v->most = 4096;
    for (unsigned i = 0; i < 6; i++)
        memcpy(&v->levels[i], &one, 4);
    v->beside[DRIVER_VERTEX] = pass_on;
    add_results(p);
    p->subject.tesscoord = (int)v->result_count;        /* put behind what came (see join) */
    p->subject.patch = p->subject.tesscoord + 1;
}

static void shape_fragment(struct pair *p, struct driver_case *c, bool writes)
{
    static const char *const colors[] = {"result.color[0]", "result.color[1]", "result.color[2]", "result.color[3]"};
    uint32_t count = writes ? 1 : 32;

    for (unsigned i = 0; i < ATTRIBS; i++) {
        p->attributes[i] = (struct driver_attribute){DRIVER_GENERIC, i, p->words[i + (i > 0)], (size_t)count * 16};
        p->subject.reads[i] = fragment_inputs[i];
    }
    p->attributes[0].values = p->words[1];
    p->attributes[1].values = p->words[2];
    p->attributes[2].values = p->words[3];
    p->attributes[3].values = p->words[1];
    c->raster = (struct driver_raster){.primitive = DRIVER_POINTS, .width = count, .height = 1, .color_outputs = 1,
                                       .attributes = p->attributes, .attribute_count = 3, .depth_bits = 0x3f000000};
    for (unsigned i = 0; i < 4; i++)
        if (names(p, "result.color", i)) {
            p->subject.planes[i].binding = colors[i];
            c->raster.color_outputs = i + 1;
        }
    if (!p->subject.planes[0].binding && !says(p, "result.color[") && says(p, "result.color"))
        p->subject.planes[0].binding = "result.color";
}

static bool read_text(struct pair *p, const char *path)
{
    FILE *in = fopen(path, "rb");

    p->size = in ? fread(p->text, 1, TEXT - 256, in) : 0;
    if (in)
        fclose(in);
    return p->size > 0;
}

static bool pair_make(struct pair *p, const char *path)
{
    static const struct { const char *suffix; enum driver_stage stage;
    } suffixes[] = {{".vp", DRIVER_VERTEX},
                    {".tcp", DRIVER_TESS_CONTROL},
                    {".tep", DRIVER_TESS_EVALUATION},
                    {".gp", DRIVER_GEOMETRY},
                    {".fp", DRIVER_FRAGMENT}};
    struct driver_case *c = &p->subject.c;
    struct random r = {17};
    const char *dot = strrchr(path, '.');
    size_t i = 0;

    memset(p, 0, sizeof *p);
    for (; i < 5 && (!dot || strcmp(dot, suffixes[i].suffix)); i++)
        ;
    if (i == 5 || !read_text(p, path))
        return false;
    c->stage = suffixes[i].stage;
    bool writes = says(p, "\nATOM") || says(p, "\nST") || says(p, "\nMEMBAR"), zero = says(p, "\nLOAD.");
    for (unsigned a = 0; a < ATTRIBS; a++)
        for (unsigned k = 0; k < VERTICES * 4; k++)
            p->words[a][k] = zero && a >= 2 ? 0 : noise(&r, a == 2);
    for (unsigned k = 0; k < VERTICES * 4 && says(p, "CALI"); k++)
        p->words[2][k] %= 3;    /* there are no more subroutines */
    for (unsigned a = 0; a < ATTRIBS && writes && c->stage == DRIVER_TESS_CONTROL; a++)
        for (unsigned k = 4; k < VERTICES * 4; k++)
            p->words[a][k] = p->words[a][k - 4];        /* all threads store the same */
    /* Which fragments share a warp is the rasteriser's. */
    writes |= c->stage == DRIVER_FRAGMENT &&
              (says(p, "threadid") || says(p, "\nTG") || says(p, "\nSHF") || says(p, "\nMATCH"));
    switch (c->stage) {
    case DRIVER_VERTEX:
        c->vertices.count = writes ? 1 : 32;
        add_results(p);
        break;
    case DRIVER_GEOMETRY: shape_geometry(p, &c->vertices, writes); break;
    case DRIVER_TESS_CONTROL: shape_control(p, &c->vertices, writes); break;
    case DRIVER_TESS_EVALUATION: shape_evaluation(p, &c->vertices, writes); break;
    default: shape_fragment(p, c, writes); break;
    }
    c->program = p->text;
    c->program_size = p->size;
    if (c->stage != DRIVER_FRAGMENT)
        give_arrays(p, c);
    p->where.c = *c;
    p->where.c.program = p->where_text;
    p->where.c.program_size = strlen(p->where_text);
    p->where_results[0] = attribs[0];
    p->where_results[1] = attribs[1];
    p->where.c.vertices.results = p->where_results;
    p->where.c.vertices.result_count = 2;
    return give_memory(p, &r);
}

static void pair_free(struct pair *p)
{
    for (size_t i = 0; i < UNITS; i++)
        free(p->textures[i].texture.data);
    for (size_t i = 0; i < BUFFERS; i++) {
        free((void *)p->storage[i].data);
        free((void *)p->constants[i].data);
    }
    free((void *)p->counters[0].data);
    free((void *)p->counters[1].data);
}

/* ---- both sides
 * ------------------------------------------------------------------------------------------------------------- */

struct run {
    struct pair *p;
    FILE *record;
    struct subject_got got;
    uint8_t *kept[SUBJECT_PLANES];
    char said[300];
};

/* Keeps what came: of an evaluation program the places of its points, of the second case, stand behind its results. */
static bool keep(void *user, size_t index, const struct driver_case *c, const struct driver_result *r)
{
    struct run *run = user;
    struct subject_got got;
    size_t results = run->p->subject.c.vertices.result_count;

    (void)c;
    subject_take(index ? &run->p->where : &run->p->subject, r, &got);
    if (!index) {
        run->got.status = got.status;
        snprintf(run->said, sizeof run->said, "%s: %.120s %.120s", driver_status_name(r->status), r->message,
                 r->detail);
        if (got.nplanes + 2 > SUBJECT_PLANES)
            got.nplanes = SUBJECT_PLANES - 2;
    }
    size_t shift = run->p->subject.c.stage == DRIVER_TESS_EVALUATION ? 2 : 0;
    for (size_t i = 0; i < (index && got.nplanes > 2 ? 2 : got.nplanes); i++) {
        size_t to = index ? results + i : i < results ? i : i + shift;
        run->kept[to] = malloc(got.bytes[i] + 1);
        if (run->kept[to])
            memcpy(run->kept[to], got.data[i], got.bytes[i]);
        run->got.data[to] = run->kept[to];
        run->got.bytes[to] = got.bytes[i];
        if (to + 1 > run->got.nplanes)
            run->got.nplanes = to + 1;
    }
    return true;
}

/* The two places count as results that are none of the program's. */
static void join(struct pair *p)
{
    struct driver_vertices *v = &p->subject.c.vertices;

    if (p->subject.c.stage != DRIVER_TESS_EVALUATION)
        return;
    v->result_count += 2;
    p->subject.planes[v->result_count - 2].binding = p->subject.planes[v->result_count - 1].binding = NULL;
}

static bool judge(const char *path, struct run *run)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct subject_verdict v;

    if (run->got.status != DRIVER_RAN) {
        printf("%s: %s\n", name, run->said);
        return false;
    }
    join(run->p);
    subject_compare(&run->p->subject, GP5_SEMANTICS_NVIDIA, &run->got, subject_same, NULL, &v);
    bool none = run->p->subject.c.stage == DRIVER_GEOMETRY && !run->got.bytes[0];      /* nor ours: that would differ */
    if (v.ran && !v.different && (v.compared || none)) {
        printf("%s: equal, %llu words, %llu undefined\n", name, (unsigned long long)v.compared,
               (unsigned long long)v.undefined);
        return true;
    }
    printf("%s: %llu of %llu differ, %llu undefined; %s\n", name, (unsigned long long)v.different,
           (unsigned long long)v.compared, (unsigned long long)v.undefined, v.message);
    for (unsigned i = 0; i < 3 && i < v.different && v.first[i].binding; i++)
        printf("    %s.%c [%zu]: %08x, the driver %08x\n", v.first[i].binding, "xyzw"[v.first[i].component % 4],
               v.first[i].element, v.first[i].ours, v.first[i].theirs);
    return false;
}

static bool runs(const char *path, struct run *run)
{
    struct subject_verdict v;

    run->got = (struct subject_got){.status = DRIVER_RAN, .nplanes = SUBJECT_PLANES};
    join(run->p);
    subject_compare(&run->p->subject, GP5_SEMANTICS_NVIDIA, &run->got, subject_same, NULL, &v);
    if (!v.ran)
        printf("%s: %s\n", path, v.message);
    return v.ran;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"driver", required_argument, NULL, 'd'},
                                            {"record", required_argument, NULL, 'r'},
                                            {"replay", required_argument, NULL, 'R'},
                                            {"alone", no_argument, NULL, 'a'},
                                            {0}};
    struct driver_options open = {.context = NULL};
    struct driver *driver = NULL;
    struct run run = {.p = calloc(1, sizeof *run.p)};
    FILE *replayed = NULL;
    char *reason;
    unsigned equal = 0, all = 0;
    bool alone = false;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (c) {
        case 'd': open.context = optarg; break;
        case 'r': run.record = fopen(optarg, "wb"); break;
        case 'R': replayed = fopen(optarg, "rb"); break;
        case 'a': alone = true; break;
        default: return 2;
        }
    if (!run.p || (!replayed && !alone && driver_open(&open, &driver, &reason) != DRIVER_OPENED))
        return 77;
    for (; optind < argc; optind++, all++) {
        uint8_t *data = NULL;
        uint32_t hash;
        if (!pair_make(run.p, argv[optind]))
            return 2;
        run.got = (struct subject_got){0};
        if (alone) {
            equal += runs(argv[optind], &run);
            pair_free(run.p);
            continue;
        }
        if (replayed) {
            data = subject_read(replayed, &hash, &run.got);
            if (!data || hash != subject_hash(&run.p->subject)) {
                printf("%s: the recording is of another program\n", argv[optind]);
                free(data);
                pair_free(run.p);
                continue;
            }
        } else {
            struct driver_case cases[2] = {run.p->subject.c, run.p->where.c};
            if (!driver_run(driver, cases, run.p->subject.c.stage == DRIVER_TESS_EVALUATION ? 2 : 1, keep, &run))
                return 2;
        }
        if (run.record)
            subject_write(run.record, &run.p->subject, &run.got);
        equal += judge(argv[optind], &run);
        fflush(stdout);
        for (size_t i = 0; i < SUBJECT_PLANES; i++) {
            free(run.kept[i]);
            run.kept[i] = NULL;
        }
        free(data);
        pair_free(run.p);
    }
    printf("%u programs, %u equal\n", all, equal);
    driver_close(driver);
    free(run.p);
    return (run.record && fclose(run.record)) || equal < all;
}
