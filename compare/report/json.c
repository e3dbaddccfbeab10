#include "compare/report/json.h"

json_t *cmp_json_count(uint64_t v)
{
    return json_integer((json_int_t)v);
}

json_t *cmp_json_not_modelled(uint64_t passes)
{
    json_t *list = json_array();
    struct gp5_pass pass;
    for (size_t i = 0; gp5_pass_at(i, &pass); i++)
        if (passes >> i & 1)
            json_array_append_new(list, json_string(pass.name));
    return list;
}

json_t *cmp_json_reasons(const struct test_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->reasons.count; i++) {
        const struct undefined_reason *reason = vec_at(&r->reasons, i);
        json_t *o = json_object();
        json_object_set_new(o, "line", cmp_json_count(reason->line));
        json_object_set_new(o, "reason", cmp_json_string(reason->reason));
        json_object_set_new(o, "words", cmp_json_count(reason->words));
        json_array_append_new(list, o);
    }
    return list;
}
