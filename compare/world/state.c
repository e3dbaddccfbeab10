#include "compare/world/state.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct reader {
    char *message;
    size_t size;
};

static bool fail(struct reader *r, const char *key, const char *what)
{
    snprintf(r->message, r->size, "%s: expected %s", key, what);
    return false;
}

static bool number(struct reader *r, const char *key, const json_t *j, float *to)
{
    if (!json_is_number(j))
        return fail(r, key, "a number");
    *to = (float)json_number_value(j);
    return true;
}

static bool vector(struct reader *r, const char *key, const json_t *j, float *to, size_t n)
{
    char what[32];

    snprintf(what, sizeof what, "%zu numbers", n);
    if (!json_is_array(j) || json_array_size(j) != n)
        return fail(r, key, what);
    for (size_t i = 0; i < n; i++)
        if (!json_is_number(json_array_get(j, i)))
            return fail(r, key, what);
        else
            to[i] = (float)json_number_value(json_array_get(j, i));
    return true;
}

static bool boolean(struct reader *r, const char *key, const json_t *j, bool *to)
{
    if (!json_is_boolean(j))
        return fail(r, key, "true or false");
    *to = json_is_true(j);
    return true;
}

/* A list of vectors, the nth for the nth thing; null leaves one as it is. */
static bool vectors(struct reader *r, const char *key, const json_t *j, float *to, size_t n, size_t most)
{
    if (!json_is_array(j) || json_array_size(j) > most)
        return fail(r, key, "a list that is not longer than there are of these");
    for (size_t i = 0; i < json_array_size(j); i++)
        if (!json_is_null(json_array_get(j, i)) && !vector(r, key, json_array_get(j, i), to + i * n, n))
            return false;
    return true;
}

/* One key of an object: where its value goes. */
struct field {
    const char *name;
    float *to;
    size_t n;                   /* numbers; 1 is a number alone */
};

static bool fields(struct reader *r, const char *key, const json_t *j, const struct field *list, size_t count)
{
    const char *name;
    const json_t *value;
    char path[96];

    if (!json_is_object(j))
        return fail(r, key, "an object");
    json_object_foreach((json_t *)(uintptr_t)j, name, value)
    {
        size_t i = 0;
        snprintf(path, sizeof path, "%s.%s", key, name);
        while (i < count && strcmp(list[i].name, name))
            i++;
        if (i == count)
            return fail(r, path, "a key that there is");
        if (list[i].n == 1 ? !number(r, path, value, list[i].to) : !vector(r, path, value, list[i].to, list[i].n))
            return false;
    }
    return true;
}

static bool material(struct reader *r, const char *key, const json_t *j, struct gp5_material *m)
{
    const struct field list[] = {{"ambient", m->ambient, 4}, {"diffuse", m->diffuse, 4}, {"specular", m->specular, 4},
                                 {"emission", m->emission, 4}, {"shininess", &m->shininess, 1}};

    return fields(r, key, j, list, sizeof list / sizeof *list);
}

static bool materials(struct reader *r, const json_t *j, struct gp5_state *s)
{
    const json_t *front = json_object_get(j, "front"), *back = json_object_get(j, "back");

    if (!json_is_object(j) || json_object_size(j) != (size_t)(!!front + !!back))
        return fail(r, "material", "front and back");
    return (!front || material(r, "material.front", front, &s->front)) &&
           (!back || material(r, "material.back", back, &s->back));
}

static bool light(struct reader *r, const char *key, const json_t *j, struct gp5_light *l)
{
    const struct field list[] = {{"ambient", l->ambient, 4}, {"diffuse", l->diffuse, 4}, {"specular", l->specular, 4},
                                 {"position", l->position, 4}, {"spot_direction", l->spot_direction, 3},
                                 {"spot_exponent", &l->spot_exponent, 1}, {"spot_cutoff", &l->spot_cutoff, 1},
                                 {"attenuation", l->attenuation, 3}};

    return fields(r, key, j, list, sizeof list / sizeof *list);
}

static bool lights(struct reader *r, const json_t *j, struct gp5_state *s)
{
    char key[32];

    if (!json_is_array(j) || json_array_size(j) > GP5_LIGHTS)
        return fail(r, "light", "a list of 8 at most");
    for (size_t i = 0; i < json_array_size(j); i++) {
        snprintf(key, sizeof key, "light[%zu]", i);
        if (!json_is_null(json_array_get(j, i)) && !light(r, key, json_array_get(j, i), &s->light[i]))
            return false;
    }
    return true;
}

static bool planes(struct reader *r, const char *key, const json_t *j, float (*to)[4])
{
    const struct field list[] = {{"s", to[0], 4}, {"t", to[1], 4}, {"r", to[2], 4}, {"q", to[3], 4}};

    return fields(r, key, j, list, 4);
}

static bool texgen(struct reader *r, const json_t *j, struct gp5_state *s)
{
    if (!json_is_array(j) || json_array_size(j) > GP5_TEXTURE_COORDS)
        return fail(r, "texgen", "a list of 8 at most");
    for (size_t i = 0; i < json_array_size(j); i++) {
        const json_t *one = json_array_get(j, i), *eye = json_object_get(one, "eye"),
                     *object = json_object_get(one, "object");
        if (json_is_null(one))
            continue;
        if (!json_is_object(one) || json_object_size(one) != (size_t)(!!eye + !!object))
            return fail(r, "texgen", "eye and object");
        if ((eye && !planes(r, "texgen.eye", eye, s->texgen[i].eye)) ||
            (object && !planes(r, "texgen.object", object, s->texgen[i].object)))
            return false;
    }
    return true;
}

static bool fog(struct reader *r, const json_t *j, struct gp5_state *s)
{
    const struct field list[] = {
        {"color", s->fog_color, 4}, {"density", &s->fog_density, 1}, {"start", &s->fog_start, 1},
                                 {"end", &s->fog_end, 1}};

    return fields(r, "fog", j, list, 4);
}

static bool point(struct reader *r, const json_t *j, struct gp5_state *s)
{
    const struct field list[] = {
        {"size", &s->point_size, 1}, {"min", &s->point_size_min, 1}, {"max", &s->point_size_max, 1},
                                 {"fade", &s->point_fade_threshold, 1}, {"attenuation", s->point_attenuation, 3}};

    return fields(r, "point", j, list, 5);
}

static bool one(struct reader *r, const char *key, const json_t *j, struct gp5_state *s)
{
    if (!strcmp(key, "modelview"))
        return vector(r, key, j, s->modelview, 16);
    if (!strcmp(key, "projection"))
        return vector(r, key, j, s->projection, 16);
    if (!strcmp(key, "texture"))
        return vectors(r, key, j, s->texture[0], 16, GP5_TEXTURE_COORDS);
    if (!strcmp(key, "program"))
        return vectors(r, key, j, s->program[0], 16, GP5_PROGRAM_MATRICES);
    if (!strcmp(key, "material"))
        return materials(r, j, s);
    if (!strcmp(key, "light"))
        return lights(r, j, s);
    if (!strcmp(key, "light_model_ambient"))
        return vector(r, key, j, s->light_model_ambient, 4);
    if (!strcmp(key, "texgen"))
        return texgen(r, j, s);
    if (!strcmp(key, "texenv"))
        return vectors(r, key, j, s->texenv_color[0], 4, GP5_TEXTURE_UNITS);
    if (!strcmp(key, "fog"))
        return fog(r, j, s);
    if (!strcmp(key, "clip"))
        return vectors(r, key, j, s->clip_plane[0], 4, GP5_CLIP_PLANES);
    if (!strcmp(key, "point"))
        return point(r, j, s);
    if (!strcmp(key, "depth_range"))
        return vector(r, key, j, s->depth_range, 2);
    if (!strcmp(key, "clamp_vertex_color"))
        return boolean(r, key, j, &s->clamp_vertex_color);
    if (!strcmp(key, "clamp_fragment_color"))
        return boolean(r, key, j, &s->clamp_fragment_color);
    return fail(r, key,
                "a key that there is: modelview, projection, texture, program, material, light, light_model_ambient, "
                "texgen, texenv, "
                "fog, clip, point, depth_range, clamp_vertex_color, clamp_fragment_color");
}

bool state_from_json(const char *text, size_t size, struct gp5_state *state, char *message, size_t message_size)
{
    struct reader r = {message, message_size};
    json_error_t error;
    json_t *all = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    const char *key;
    const json_t *value;
    bool ok = json_is_object(all);

    gp5_state_init(state);
    if (!all)
        snprintf(message, message_size, "line %d: %s", error.line, error.text);
    else if (!ok)
        snprintf(message, message_size, "expected an object");
    if (ok)
        json_object_foreach(all, key, value)
        {
            ok = ok && one(&r, key, value, state);
        }
    json_decref(all);
    return ok;
}
