#include "compare/script/pixel.h"

#include "compare/script/number.h"

#include <string.h>

bool pixel_is_color(const struct gp5_format_info *info)
{
    switch (info->kind) {
    case GP5_KIND_UNORM:
    case GP5_KIND_SNORM: return info->bits == 8 || info->bits == 16;
    case GP5_KIND_FLOAT: return true;
    default: return false;
    }
}

static double clamped(float v, double low)
{
    return v > low ? v < 1 ? (double)v : 1 : low;       /* a NaN is the least */
}

void pixel_put(const struct gp5_format_info *info, const float color[4], uint8_t *to)
{
    double most = info->bits == 8 ? info->kind == GP5_KIND_SNORM ? 127 : 255
                                  : info->kind == GP5_KIND_SNORM ? 32767 : 65535;

    for (unsigned i = 0; i < info->components; i++, to += info->bits / 8) {
        float v = color[i];
        if (info->kind == GP5_KIND_FLOAT && info->bits == 32) {
            memcpy(to, &v, 4);
        } else if (info->kind == GP5_KIND_FLOAT) {
            number_store(NUMBER_F16, number_to_half((double)v), to);
        } else if (info->kind == GP5_KIND_UNORM) {
            number_store(info->bits == 8 ? NUMBER_U8 : NUMBER_U16, (uint64_t)(clamped(v, 0) * most + 0.5), to);
        } else {
            double at = clamped(v, -1) * most;
            number_store(info->bits == 8 ? NUMBER_S8 : NUMBER_S16, (uint64_t)(int64_t)(at < 0 ? at - 0.5 : at + 0.5),
                         to);
        }
    }
}

void pixel_get(const struct gp5_format_info *info, const uint8_t *from, float color[4])
{
    memcpy(color, (const float[4]){ 0, 0, 0, 1 }, 16);
    for (unsigned i = 0; i < info->components; i++, from += info->bits / 8) {
        if (info->kind == GP5_KIND_FLOAT && info->bits == 32) {
            memcpy(&color[i], from, 4);
        } else if (info->kind == GP5_KIND_FLOAT) {
            color[i] = (float)number_from_half((uint16_t)number_load(NUMBER_F16, from));
        } else if (info->kind == GP5_KIND_UNORM) {
            color[i] = (float)number_load(info->bits == 8 ? NUMBER_U8 : NUMBER_U16, from) /
                       (info->bits == 8 ? 255.0f : 65535.0f);
        } else {
            int most = info->bits == 8 ? 127 : 32767;
            int v = info->bits == 8 ? (int8_t)number_load(NUMBER_U8, from) : (int16_t)number_load(NUMBER_U16, from);
            color[i] = v < -most ? -1 : (float)v / (float)most;
        }
    }
}
