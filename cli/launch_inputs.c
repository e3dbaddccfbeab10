/* Options for textures, images, pointers, subroutines and group sizes. */
#include "cli/launch.h"

#include "compare/script/sampler.h"
#include "compare/driver/texture_words.h"

#include <string.h>

enum { SPEC_WORDS = 32, SAMPLER_WORDS = 8 };

static int no_memory(const struct cli_launch *l)
{
    return cli_error(l->command, "out of memory");
}

static void *add(struct vec *list)
{
    size_t index = vec_grow(list);
    return index == SIZE_MAX ? NULL : vec_at(list, index);
}

/* Cuts a text at a character, in place; 0 when there are more pieces than room. */
static size_t cut(char *text, char at, char **pieces, size_t room)
{
    size_t n = 0;
    for (char *end = text; end; text = end + 1) {
        if (n == room)
            return 0;
        pieces[n++] = text;
        end = strchr(text, at);
        if (!end)
            break;
        *end = 0;
    }
    return n;
}

static bool number(const char *word, unsigned long long limit, uint32_t *value)
{
    unsigned long long v;
    if (!cli_number(word, 0, limit, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

static bool number_after(const char *word, const char *name, unsigned long long limit, uint32_t *value)
{
    size_t n = strlen(name);
    return !strncmp(word, name, n) && word[n] == ':' && number(word + n + 1, limit, value);
}

/* ---- textures ------------------------------------------------------------------------------------------ */

/* WIDTH[xHEIGHT[xDEPTH]]; of ARRAY1D WIDTHxLAYERS, of a cube one edge is enough. */
static bool sizes(char *word, struct gp5_texture *t)
{
    char *piece[3];
    size_t n = cut(word, 'x', piece, 3);
    uint32_t size[3] = { 1, t->size[1], t->size[2] };
    for (size_t i = 0; i < n; i++)
        if (!number(piece[i], 1u << 27, &size[i]))
            return false;
    if ((t->kind == GP5_TEXTURE_CUBE || t->kind == GP5_TEXTURE_ARRAYCUBE) && n == 1)
        size[1] = size[0];
    if (t->kind == GP5_TEXTURE_ARRAY1D && n == 2) {
        size[2] = size[1];
        size[1] = 1;
    }
    memcpy(t->size, size, sizeof size);
    return n != 0;
}

/* KIND,FORMAT,SIZE[,levels:N|all][,WORD:VALUE...]: NULL, or what is wrong. */
static const char *texture_spec(char *spec, struct gp5_texture *t)
{
    char *word[SPEC_WORDS], *part[SAMPLER_WORDS];
    uint32_t unit = t->unit;
    size_t n = cut(spec, ',', word, SPEC_WORDS), wrong;
    int kind = n ? texture_word_find(TEXTURE_KIND, word[0], strlen(word[0])) : -1;
    int format = n > 1 ? texture_word_find(TEXTURE_FORMAT, word[1], strlen(word[1])) : -1;
    if (kind < 0)
        return "expected KIND,FORMAT,SIZE with a kind such as 2D";
    if (format < 0)
        return "expected KIND,FORMAT,SIZE with a format such as RGBA8";
    texture_begin(t, (unsigned)kind);
    t->unit = unit;
    t->format = (uint8_t)format;
    if (n < 3 || !sizes(word[2], t))
        return "expected KIND,FORMAT,SIZE with a size such as 64x64";
    for (size_t i = 3; i < n; i++) {
        if (!strcmp(word[i], "levels:all"))
            t->levels = texture_levels(t);
        if (!strcmp(word[i], "levels:all") || number_after(word[i], "levels", 15, &t->levels) ||
            (gp5_texture_is_multisample(t->kind) && number_after(word[i], "samples", 32, &t->samples)))
            continue;
        size_t parts = cut(word[i], ':', part, SAMPLER_WORDS);
        const char *error = sampler_set(&t->sampler, part, parts, &wrong);
        if (error)
            return error;
    }
    texture_measure(t);
    return gp5_texture_check(t);
}

int cli_launch_texture(struct cli_launch *l, const char *word)
{
    struct driver_texture d = { .bring_back = true };
    const char *rest = cli_launch_numbered(word, &d.texture.unit), *file = rest ? strchr(rest, '=') : NULL;
    if (!rest)
        return cli_launch_bad(l, "expected N=KIND,FORMAT,SIZE[,...][=FILE]", word);
    char *spec = arena_copy(&l->arena, rest, file ? (size_t)(file - rest) : strlen(rest));
    if (!spec)
        return no_memory(l);
    const char *error = texture_spec(spec, &d.texture);
    if (error)
        return cli_launch_bad(l, error, word);
    if (d.texture.bytes > DATA_LIMIT)
        return cli_launch_bad(l, "larger than 256 MiB", word);
    d.texture.data = arena_alloc(&l->arena, d.texture.bytes);
    if (!d.texture.data)
        return no_memory(l);
    memset(d.texture.data, 0, d.texture.bytes);
    if (file) {
        struct cli_file texels = { NULL, 0 };
        if (!cli_read(file + 1, &texels))
            return CLI_TROUBLE;
        bool fits = texels.size == d.texture.bytes;
        if (fits)
            memcpy(d.texture.data, texels.bytes, texels.size);
        cli_close(&texels);
        if (!fits)
            return cli_launch_bad(l, "the file is not as large as the levels of the texture", word);
    }
    struct driver_texture *to = add(&l->textures);
    if (!to)
        return no_memory(l);
    *to = d;
    return CLI_YES;
}

/* ---- images, pointers, subroutines --------------------------------------------------------------------- */

int cli_launch_image(struct cli_launch *l, const char *word)
{
    struct gp5_image image = { .layered = true };
    char *piece[4];
    const char *rest = cli_launch_numbered(word, &image.unit);
    char *spec = rest ? arena_copy(&l->arena, rest, strlen(rest)) : NULL;
    if (rest && !spec)
        return no_memory(l);
    size_t n = spec ? cut(spec, ',', piece, 4) : 0;
    int format = n > 1 ? texture_word_find(TEXTURE_FORMAT, piece[1], strlen(piece[1])) : -1;
    bool good = format >= 0 && number(piece[0], UINT32_MAX, &image.texture);
    for (size_t i = 2; good && i < n; i++) {
        bool layer = number_after(piece[i], "layer", UINT32_MAX, &image.layer);
        image.layered &= !layer;
        good = layer || number_after(piece[i], "level", 15, &image.level);
    }
    if (!good)
        return cli_launch_bad(l, "expected N=TEXTURE,FORMAT[,level:N][,layer:N]", word);
    image.format = (uint8_t)format;
    struct gp5_image *to = add(&l->images);
    if (!to)
        return no_memory(l);
    *to = image;
    return CLI_YES;
}

/* cbuffer|env|local:N:BYTE=storage|texture|image:N */
static bool pointer(char *text, struct driver_pointer *p)
{
    char *side[2], *place[3], *what[2];
    int i = 0, k = 0;
    if (cut(text, '=', side, 2) != 2 || cut(side[0], ':', place, 3) != 3 || cut(side[1], ':', what, 2) != 2)
        return false;
    while (i < DRIVER_POINTER_PLACES && strcmp(place[0], driver_pointer_place_name((enum driver_pointer_place)i)))
        i++;
    while (k < DRIVER_POINTER_KINDS && strcmp(what[0], driver_pointer_kind_name((enum driver_pointer_kind)k)))
        k++;
    p->place = (enum driver_pointer_place)i;
    p->kind = (enum driver_pointer_kind)k;
    return i < DRIVER_POINTER_PLACES && k < DRIVER_POINTER_KINDS && number(place[1], UINT32_MAX, &p->index) &&
           number(place[2], UINT32_MAX, &p->offset) && number(what[1], UINT32_MAX, &p->of);
}

int cli_launch_pointer(struct cli_launch *l, const char *word)
{
    struct driver_pointer p = { .offset = 0 };
    char *text = arena_copy(&l->arena, word, strlen(word));
    struct driver_pointer *to = text ? add(&l->pointers) : NULL;
    if (!to)
        return no_memory(l);
    if (!pointer(text, &p))
        return cli_launch_bad(
            l, "expected cbuffer:N:BYTE, env:N:BYTE or local:N:BYTE, then =storage:N, =texture:N or =image:N", word);
    *to = p;
    return CLI_YES;
}

int cli_launch_subroutine(struct cli_launch *l, const char *word)
{
    char *text = arena_copy(&l->arena, word, strlen(word));
    if (!text)
        return no_memory(l);
    for (char *at = text, *end; at; at = end ? end + 1 : NULL) {
        uint32_t value;
        end = strchr(at, ',');
        if (end)
            *end = 0;
        if (!number(at, UINT32_MAX, &value))
            return cli_launch_bad(l, "expected N[,N...]", word);
        uint32_t *to = add(&l->subroutines);
        if (!to)
            return no_memory(l);
        *to = value;
    }
    return CLI_YES;
}
