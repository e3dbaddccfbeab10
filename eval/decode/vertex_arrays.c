/* Attributes of the vertices of a primitive or patch as operands: vertex[2].position, v[i.x], a[v.y][k.x + 1]. A
 * source's index is the vertex in its low byte and the attribute's number above it. Those of the output patch are other
 * lanes' results. */
#include "eval/decode/decode.h"

#include "asm/binding_name.h"
#include "eval/decode/variables.h"
#include "eval/decode/vertex_arrays.h"

/* A patch may have so many vertices. */
enum { MOST_VERTICES = 32 };

static uint32_t vertices(const struct decoder *d)
{
    return d->x->shape.vertices_in ? d->x->shape.vertices_in : MOST_VERTICES;
}

bool eval_is_vertex_array(const struct gp5_program *p, const struct symbol *s)
{
    return s->kind == SYM_ATTRIB && s->nbindings &&
           binding_table[program_binding(p, s->binding)->kind].class == BC_VERTEX;
}

/* The planes of one attribute of all vertices side by side: four a vertex. */
static uint32_t place_region(struct decoder *d, uint16_t kind, uint32_t number)
{
    uint32_t n = vertices(d), first;

    for (size_t i = 0; i < d->regions.count; i++) {
        const struct vertex_region *r = vec_at(&d->regions, i);
        if (r->kind == kind && r->number == number)
            return r->first;
    }
    first = eval_layout_planes(&d->layout, 4 * n);
    for (uint32_t i = 0; i < 4 * n; i++) {
        struct plane_source source = {
            .plane = first + i, .kind = kind, .component = (uint8_t)(i % 4), .index = i / 4 | number << 8};
        eval_push(d, &d->layout.sources, &source);
    }
    struct vertex_region r = {.kind = kind, .number = number, .first = first};
    eval_push(d, &d->regions, &r);
    return first;
}

static bool fetch_constant_index(struct decoder *d, const struct index *index, uint32_t *plane)
{
    if (index->mode == INDEX_RELATIVE)
        return eval_fetch_index(d, index, plane);
    *plane = eval_layout_word(&d->layout, 0);
    return true;
}

/* The used components of one of g's elements, whose planes lie in a row from `first` on, into planes of their own. */
static bool gather_row(struct decoder *d, struct gather *g, uint32_t first, uint8_t used, uint32_t plane[4])
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(used >> c & 1))
            continue;
        g->src[g->n] = first + c;
        plane[c] = g->dst[g->n++] = eval_layout_scratch(&d->layout);
    }
    return eval_push_gather(d, g);
}

/* Other lanes' results: component planes of a result as the lane `vertex` of the thread's patch has them. */
static bool read_lanes(struct decoder *d, uint16_t result, uint32_t number, const struct index *index, uint8_t used,
                       uint32_t plane[4])
{
    struct gather g = {.across = true, .elements = d->x->shape.vertices_out, .offset = index->offset};

    if (!fetch_constant_index(d, index, &g.index))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(used >> c & 1))
            continue;
        g.src[g.n] = eval_layout_source(&d->layout, result, number, c);
        plane[c] = g.dst[g.n++] = eval_layout_scratch(&d->layout);
    }
    return eval_push_gather(d, &g);
}

static bool gather_vertices(struct decoder *d, uint16_t kind, uint32_t number, const struct index *index, uint8_t used,
                            uint32_t plane[4])
{
    struct gather g = {.elements = vertices(d), .offset = index->offset, .stride = 4};
    uint32_t first = place_region(d, kind, number);

    return eval_fetch_index(d, index, &g.index) && gather_row(d, &g, first, used, plane);
}

static bool fetch_attribute(struct decoder *d, const struct binding *b, uint32_t at, const struct index *vertex,
                            uint8_t used, uint32_t plane[4])
{
    uint16_t kind = asm_canonical_binding(b->kind);
    uint32_t number = (b->nindices ? b->first[0] : 0) + at;

    if (asm_is_of_output_vertex(kind))
        return read_lanes(d, asm_result_of_output(kind), number, vertex, used, plane);
    if (vertex->mode == INDEX_RELATIVE)
        return gather_vertices(d, kind, number, vertex, used, plane);
    for (unsigned c = 0; c < 4; c++)
        plane[c] = eval_layout_source(&d->layout, kind, (uint32_t)vertex->offset | number << 8, c);
    return true;
}

/* Which attribute is found at run time too: all of them are fetched, and one is chosen. */
static bool choose_attribute(struct decoder *d, const struct symbol *s, const struct index *vertex,
                             const struct index *element, uint8_t used, uint32_t plane[4])
{
    struct gather g = {.elements = s->array_size, .offset = element->offset, .stride = 4};
    uint32_t first = eval_layout_planes(&d->layout, 4 * s->array_size), from[4] = {0}, at;
    struct kernel_request copy = eval_request(d, OP_MOV, DT_U32);

    for (uint32_t e = 0; e < s->array_size; e++) {
        const struct binding *b = eval_element_binding(d->p, s, e, &at);
        struct lane_op op = {.n = 0};
        if (!b || !fetch_attribute(d, b, at, vertex, used, from))
            return b != NULL;
        for (unsigned c = 0; c < 4; c++)
            if (used >> c & 1) {
                op.comp[op.n] = op.n;
                op.src[0][op.n] = from[c];
                op.dst[op.n++] = first + 4 * e + c;
            }
        if (!eval_raw(d, &copy, &op, NULL))
            return false;
    }
    return eval_fetch_index(d, element, &g.index) && gather_row(d, &g, first, used, plane);
}

bool eval_fetch_vertex(struct decoder *d, const struct operand *o, uint8_t used, uint32_t plane[4])
{
    const struct symbol *s = program_symbol(d->p, o->ref);
    const struct index *vertex = o->nindices ? program_index(d->p, o->index) : NULL,
                       *element = o->nindices > 1 ? vertex + 1 : NULL;
    const struct binding *b;
    uint32_t at = 0;

    if (!vertex)
        return eval_refuse(d, o->span, "%s without a vertex", s->name);
    if (element && element->mode == INDEX_RELATIVE)
        return choose_attribute(d, s, vertex, element, used, plane);
    b = eval_element_binding(d->p, s, element ? (uint64_t)element->offset : 0, &at);
    if (!b)
        return eval_refuse(d, o->span, "an element of %s that is bound to nothing", s->name);
    return fetch_attribute(d, b, at, vertex, used, plane) && !(d->layout.failed || d->layout.full);
}

/* fragment.texcoord[A0.x + n] of a LOOP, vertex.attrib[A0.x + n]: all that there are side by side. */
bool eval_fetch_texcoord(struct decoder *d, const struct binding *b, uint32_t plane[4])
{
    const struct index *index = program_index(d->p, b->index);
    const uint32_t sets = b->kind == BIND_VERTEX_ATTRIB ? 16 : 8;
    struct gather g = {.elements = sets, .stride = 4, .offset = index->offset};
    uint32_t first = NO_PLANE;

    for (size_t i = 0; i < d->regions.count; i++) {
        const struct vertex_region *r = vec_at(&d->regions, i);
        first = r->kind == b->kind ? r->first : first;
    }
    if (first == NO_PLANE) {
        struct vertex_region r = {.kind = b->kind, .first = first = eval_layout_planes(&d->layout, 4 * sets)};
        for (uint32_t i = 0; i < 4 * sets; i++)
            eval_layout_source_at(&d->layout, b->kind, i / 4, i % 4, first + i);
        eval_push(d, &d->regions, &r);
    }
    return eval_fetch_index(d, index, &g.index) && gather_row(d, &g, first, 0xf, plane);
}

bool eval_fetch_vertex_binding(struct decoder *d, const struct binding *b, uint8_t used, uint32_t plane[4])
{
    uint16_t kind = asm_canonical_binding(b->kind);
    uint32_t number = b->nindices > 1 ? b->first[1] : 0;
    struct index index = {.mode = b->relative ? INDEX_RELATIVE : INDEX_CONSTANT, .offset = (int32_t)b->first[0]};

    if (b->relative)
        index = *program_index(d->p, b->index);
    if (asm_is_of_output_vertex(kind))
        return read_lanes(d, asm_result_of_output(kind), number, &index, used, plane);
    for (unsigned c = 0; c < 4; c++)
        plane[c] = eval_layout_source(&d->layout, kind, b->first[0] | number << 8, c);
    return true;
}
