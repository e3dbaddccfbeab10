/* Buffers of a page: a map with a cell for each number, coloured by how far both sides are apart, and below it a table
 * of the numbers that it marks, which unfolds. */
#include "compare/report/html.h"
#include "compare/world/map.h"

#include <inttypes.h>
#include <string.h>

enum { ACROSS = 64, MOST_CELLS = 4096, MOST_ROWS = 256 };

static const char *const said[MAP_STATES] = {
    "the same bits", "the same by rule", "differs in its last bits", "by a hundredth", "by a half", "by more",
    "undefined", "fails a probe"
};

/* How a map is laid out: a cell stands for `each` numbers, of which it shows the one that is most apart. */
struct layout {
    const struct buffer_map *map;
    const struct test_result *result;
    const char *id;                 /* of the test */
    char name[48];                  /* "storage-3" */
    size_t count, each, across, cells;
    size_t states[MAP_STATES];
};

static void lay_out(struct layout *l)
{
    const struct buffer_map *m = l->map;
    size_t columns = m->columns, texels = m->output == OUTPUT_TEXTURE ? columns * m->texture.size[0] : 0;

    l->count = map_count(m);
    l->across = ACROSS;
    if (texels && texels <= 4 * ACROSS)
        l->across = texels;         /* a row of the texture */
    else if (columns && columns <= ACROSS)
        l->across = ACROSS / columns * columns;
    else if (columns && columns <= 4 * ACROSS)
        l->across = columns;
    if (l->count < l->across)
        l->across = l->count;
    l->each = (l->count + MOST_CELLS - 1) / MOST_CELLS;
    if (l->each > 1)
        l->across = ACROSS;
    l->cells = l->each ? (l->count + l->each - 1) / l->each : 0;
    snprintf(l->name, sizeof l->name, "%s-%" PRIu32, output_kind_name(m->output), m->binding);
    for (size_t i = 0; i < l->count; i++)
        l->states[map_state(m, l->result, i)]++;
}

/* What is looked at of a cell: a failed probe before what differs, that before what is undefined. */
static enum map_state worst(const struct layout *l, size_t cell, size_t *where)
{
    static const uint8_t rank[MAP_STATES] = {
        [MAP_SAME] = 0, [MAP_BY_RULE] = 1, [MAP_UNDEFINED] = 2, [MAP_LAST_BITS] = 3, [MAP_NEAR] = 4, [MAP_APART] = 5,
        [MAP_FAR] = 6, [MAP_PROBE] = 7 };
    enum map_state state = MAP_SAME;

    *where = cell * l->each;
    for (size_t i = cell * l->each; i < (cell + 1) * l->each && i < l->count; i++) {
        enum map_state one = map_state(l->map, l->result, i);
        if (rank[one] > rank[state]) {
            state = one;
            *where = i;
        }
    }
    return state;
}

static bool is_marked(enum map_state state)
{
    return state != MAP_SAME && state != MAP_BY_RULE && state != MAP_UNDEFINED;
}

/* Alike cells of a row are one element. */
static void put_map(FILE *f, const struct layout *l, size_t listed)
{
    fprintf(f, "<div class=map style=\"grid-template-columns:repeat(%zu,.75em)\">", l->across);
    for (size_t cell = 0; cell < l->cells;) {
        size_t where, other, n = 1;
        enum map_state state = worst(l, cell, &where);
        if (is_marked(state)) {
            bool links = where <= listed;
            fprintf(f, "<%s class=m%d title=\"%zu: %s\"", links ? "a" : "i", (int)state, where, said[state]);
            if (links)
                fprintf(f, " href=\"#%s-%s-%zu\"", l->id, l->name, where);
            fputs(links ? "></a>" : "></i>", f);
        } else {
            while (cell + n < l->cells && (cell + n) % l->across && worst(l, cell + n, &other) == state)
                n++;
            fprintf(f, "<i class=m%d", (int)state);
            if (n > 1)
                fprintf(f, " style=\"grid-column:span %zu\"", n);
            fputs("></i>", f);
        }
        cell += n;
    }
    fputs("</div>\n", f);
}

static void put_place(FILE *f, const struct buffer_map *m, size_t number)
{
    if (m->output == OUTPUT_TEXTURE) {
        struct finding at = { .kind = FINDING_DIFFERS };
        map_texel(m, number, &at);
        fprintf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 "<td>", at.x, at.y, at.z);
    } else {
        fprintf(f, "byte %zu<td>", number * number_types[m->rule.type].bytes);
    }
    if (m->columns) {
        size_t column = number % m->columns;
        fprintf(f, "%zu ", number / m->columns);
        if (column < SCRIPT_COLUMNS && m->names[column])
            html_words(f, m->names[column]);
        else
            fprintf(f, "[%zu]", column);
    }
}

static void put_value(FILE *f, const struct buffer_map *m, int side, size_t number)
{
    char text[NUMBER_TEXT];
    enum number_type type = m->rule.type;

    if (m->data[side])
        html_words(f, number_print(type, number_load(type, m->data[side] + number * number_types[type].bytes), text));
}

static void put_values(FILE *f, const struct layout *l, size_t marked, size_t listed)
{
    const struct buffer_map *m = l->map;
    size_t shown = 0;

    fprintf(f, "<details><summary>%zu of %zu numbers are marked</summary><table class=values>\n"
               "<tr><td>number<td>%s<td>%s<td>reference<td>driver<td>\n", marked, l->count,
            m->output == OUTPUT_TEXTURE ? "x,y,z" : "place", m->columns ? "record" : "");
    for (size_t i = 0; i < l->count && i <= listed && shown < MOST_ROWS; i++) {
        enum map_state state = map_state(m, l->result, i);
        if (!is_marked(state))
            continue;
        shown++;
        fprintf(f, "<tr id=%s-%s-%zu><td>%zu<td>", l->id, l->name, i, i);
        put_place(f, m, i);
        fputs("<td>", f);
        put_value(f, m, 0, i);
        fputs("<td>", f);
        put_value(f, m, 1, i);
        fprintf(f, "<td>%s\n", said[state]);
    }
    fputs("</table>", f);
    if (shown < marked)
        fprintf(f, "<p>... and %zu more.</p>", marked - shown);
    fputs("</details>\n", f);
}

/* The number behind which none is listed any more. */
static size_t last_listed(const struct layout *l)
{
    size_t shown = 0;

    for (size_t i = 0; i < l->count; i++)
        if (is_marked(map_state(l->map, l->result, i)) && ++shown == MOST_ROWS)
            return i;
    return SIZE_MAX;
}

static void put_key(FILE *f, const struct layout *l)
{
    fputs("<p class=key>", f);
    for (int i = 0; i < MAP_STATES; i++)
        if (l->states[i])
            fprintf(f, "<i class=m%d></i>%s: %zu", i, said[i], l->states[i]);
    if (l->each > 1)
        fprintf(f, "; a cell is %zu numbers", l->each);
    fputs("</p>\n", f);
}

void html_maps(FILE *f, const char *id, const struct test_result *r, bool everything)
{
    for (size_t i = 0; i < r->maps.count; i++) {
        struct layout l = { .map = vec_at((struct vec *)&r->maps, i), .result = r, .id = id };
        char rule[RULE_TEXT];
        size_t marked = 0;
        lay_out(&l);
        for (int k = 0; k < MAP_STATES; k++)
            marked += is_marked((enum map_state)k) ? l.states[k] : 0;
        if (!l.cells || (!everything && !marked && !l.states[MAP_UNDEFINED]))
            continue;
        size_t listed = last_listed(&l);
        fprintf(f, "<details%s><summary>%s %" PRIu32 ", %s", marked ? " open" : "", output_kind_name(l.map->output),
                l.map->binding, rule_print(&l.map->rule, rule));
        if (l.map->no_rule) {
            fputs(", not compared: ", f);
            html_words(f, l.map->no_rule);
        }
        fputs("</summary>\n", f);
        put_map(f, &l, listed);
        put_key(f, &l);
        if (marked)
            put_values(f, &l, marked, listed);
        fputs("</details>\n", f);
    }
}
