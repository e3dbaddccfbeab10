#include "compare/report/picture_file.h"

#include "asm/arena.h"

#include <errno.h>
#include <png.h>
#include <string.h>

static unsigned char as_byte(float v)
{
    return v >= 1 ? 255 : v > 0 ? (unsigned char)(v * 255 + 0.5f) : 0;
}

/* A unit in 255 is just to be seen, a hundredth is blue, a tenth red, all of it white; what differs by less is dark. */
static void heat(float d, unsigned char rgb[3])
{
    static const struct stop { float at; unsigned char rgb[3]; } stops[] = {
        {0, {0, 0, 0}}, {0.01f, {40, 60, 255}}, {0.1f, {255, 30, 30}}, {0.5f, {255, 220, 40}}, {1, {255, 255, 255}}};
    size_t i = 1;
    float x = d < 1 ? d : 1;
    while (i + 1 < sizeof stops / sizeof *stops && x > stops[i].at)
        i++;
    float t = (x - stops[i - 1].at) / (stops[i].at - stops[i - 1].at);
    for (int k = 0; k < 3; k++)
        rgb[k] = (unsigned char)((float)stops[i - 1].rgb[k] + t * (float)(stops[i].rgb[k] - stops[i - 1].rgb[k]));
    if (d > 0 && rgb[2] < 60 && i == 1)
        rgb[2] = 60;            /* any difference shows */
}

static void paint(const struct picture *p, const struct picture *other, enum picture_kind kind, size_t pixel,
                  unsigned char rgb[3])
{
    const uint32_t *u = p->undefined ? p->undefined + 4 * pixel : NULL;
    bool drawn = picture_drawn(p, pixel);
    switch (kind) {
    case PICTURE_COLORS:
        for (size_t k = 0; k < 3; k++)
            rgb[k] = as_byte(p->colors[4 * pixel + k]);
        break;
    case PICTURE_UNDEFINED:
        memset(rgb, drawn ? 255 : 128, 3);
        if (drawn && u && (u[0] || u[1] || u[2] || u[3])) {
            rgb[0] = 220;
            rgb[1] = rgb[2] = 0;
        }
        break;
    case PICTURE_COVERED:
        memset(rgb, drawn ? 255 : 0, 3);
        break;
    case PICTURE_DIFFERENCE:
        heat(picture_distance(p, other, pixel), rgb);
        break;
    }
}

unsigned char *picture_pixels(const struct picture *p, const struct picture *other, enum picture_kind kind)
{
    unsigned char *rgb = gp5_malloc((size_t)p->width * p->height * 3 + 1);
    for (uint32_t y = 0; rgb && y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            paint(p, other, kind, (size_t)y * p->width + x,
                  rgb + 3 * ((size_t)(p->height - 1 - y) * p->width + x));
    return rgb;
}

const char *picture_write(const struct picture *p, const struct picture *other, enum picture_kind kind,
                          const char *path)
{
    unsigned char *rgb = picture_pixels(p, other, kind);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGB};
    bool standard = !strcmp(path, "-");
    if (!rgb)
        return "out of memory";
    errno = 0;
    FILE *f = standard ? stdout : fopen(path, "wb");
    bool good = f && png_image_write_to_stdio(&image, f, 0, rgb, 0, NULL);
    int error = errno;
    if (f && (standard ? fflush(f) : fclose(f)) && good) {
        good = false;
        error = errno;
    }
    gp5_free(rgb);
    return good ? NULL : error ? strerror(error) : "the picture could not be written";
}
