#include "compare/world/picture.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 64, MOST_ROWS = 24 };

bool picture_drawn(const struct picture *p, size_t pixel)
{
    return !p->covered || p->covered[pixel];
}

bool picture_undefined(const struct picture *p, size_t pixel)
{
    const uint32_t *u = p->undefined ? p->undefined + 4 * pixel : NULL;
    return u && (u[0] || u[1] || u[2] || u[3]);
}

float picture_distance(const struct picture *p, const struct picture *other, size_t pixel)
{
    float most = 0;
    if (picture_drawn(p, pixel) != picture_drawn(other, pixel))
        return INFINITY;
    for (size_t i = 4 * pixel; i < 4 * pixel + 4; i++) {
        float a = p->colors[i], b = other->colors[i];
        if ((p->undefined && p->undefined[i]) || !memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b)))
            continue;
        float d = fabsf(a - b);
        if (!(d <= most))
            most = isnan(d) ? INFINITY : d;
    }
    return most;
}

/* ---- letters ------------------------------------------------------------------------------------------- */

/* A letter stands for a box of pixels: the most that differs in it, or their mean. */
struct box {
    size_t drawn, undefined, pixels;
    float brightness, distance;
};

static void add(struct box *b, const struct picture *p, const struct picture *other, size_t pixel)
{
    const float *c = p->colors + 4 * pixel;
    float light = 0.299f * c[0] + 0.587f * c[1] + 0.114f * c[2];
    float d = other ? picture_distance(p, other, pixel) : 0;
    b->pixels++;
    b->drawn += picture_drawn(p, pixel) || (other && picture_drawn(other, pixel));
    b->undefined += picture_drawn(p, pixel) && picture_undefined(p, pixel);
    b->brightness += light >= 1 ? 1 : light > 0 ? light : 0;
    if (d > b->distance)
        b->distance = d;
}

static char letter(const struct box *b, bool differences)
{
    static const char brightness[] = ".:-=+*%@";
    if (differences && b->distance > 0)
        return b->distance >= 0.1f ? '#' : b->distance > 0.5f / 255 ? '+' : '-';
    if (b->undefined)
        return '?';
    if (!b->drawn)
        return ' ';
    return differences ? '.' : brightness[(size_t)(b->brightness / (float)b->pixels * 7.99f)];
}

void picture_text(FILE *out, const char *indent, const struct picture *p, const struct picture *other)
{
    uint32_t step_x = (p->width + MOST_COLUMNS - 1) / MOST_COLUMNS, step_y = (p->height + MOST_ROWS - 1) / MOST_ROWS;
    uint32_t columns = (p->width + step_x - 1) / step_x, rows = (p->height + step_y - 1) / step_y;
    for (uint32_t r = rows; r-- > 0;) {
        char line[MOST_COLUMNS + 1];
        for (uint32_t c = 0; c < columns; c++) {
            struct box b = {0};
            for (uint32_t y = r * step_y; y < (r + 1) * step_y && y < p->height; y++)
                for (uint32_t x = c * step_x; x < (c + 1) * step_x && x < p->width; x++)
                    add(&b, p, other, (size_t)y * p->width + x);
            line[c] = letter(&b, other != NULL);
        }
        line[columns] = 0;
        fprintf(out, "%s|%s|\n", indent, line);
    }
    fprintf(out, "%sa letter is %u x %u pixels: ", indent, step_x, step_y);
    fputs(other ? "# differs by 0.1 or more, + by less, - by less than 8 bits show, . not at all"
                : "the darkest is ., the brightest @", out);
    fputs(", ? undefined, blank not drawn\n", out);
}
