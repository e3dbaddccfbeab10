/* liar: a worker that speaks the protocol of the GL worker and does, on command, everything that a driver has
 * no business to do. Its first command is the line `liar: WORD` in the program's text; the context that it is
 * asked to open may be a command as well. An honest case gets each byte of its storage buffers with 0x5a
 * flipped, likewise counters and textures, a framebuffer of the clear colour, coverage 1 and depth 0. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compare/driver/protocol.h"

enum { WRONG_BIT = 1 };

struct liar {
    struct wire_in in;
    struct wire_out out;
    bool poisoned;              /* a case before told us to die of the next one */
};

static _Noreturn void hang(void)
{
    for (;;)
        pause();
}

static void nap(int ms)
{
    const struct timespec t = { .tv_nsec = ms * 1000000L };
    nanosleep(&t, NULL);
}

static void raw(const void *data, size_t size)
{
    for (const char *at = data; size; ) {
        ssize_t n = write(1, at, size);
        if (n <= 0)
            _exit(0);
        at += n;
        size -= (size_t)n;
    }
}

static void flood(void)
{
    static const char lines[4096] = "all work and no play makes a driver a dull boy\n";
    for (;;)
        raw(lines, sizeof lines);
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static uint8_t *flipped(const uint8_t *from, size_t size)
{
    uint8_t *data = malloc(size ? size : 1);
    if (!data)
        _exit(9);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)((from ? from[i] : 0) ^ 0x5a);
    return data;
}

struct answer {
    struct driver_result r;
    struct driver_output storage[64], colors[8], counters[16], textures[16];
    uint8_t *owned[112];
    size_t owned_count;
};

static uint8_t *own(struct answer *a, uint8_t *data)
{
    if (!data || a->owned_count >= sizeof a->owned / sizeof *a->owned)
        _exit(9);
    return a->owned[a->owned_count++] = data;
}

static void paint(struct answer *a, const struct driver_raster *f)
{
    size_t pixels = (size_t)f->width * f->height;
    for (uint32_t i = 0; i < f->color_outputs; i++) {
        uint8_t *data = own(a, malloc(pixels * 16));
        for (size_t p = 0; p < pixels; p++)
            memcpy(data + 16 * p, f->clear_bits, 16);
        a->colors[a->r.color_count++] = (struct driver_output){ i, data, pixels * 16 };
    }
    uint8_t *coverage = own(a, malloc(pixels));
    memset(coverage, 1, pixels);
    a->r.coverage = coverage;
    a->r.coverage_size = pixels;
    if (!f->bring_depth)
        return;
    a->r.depth = own(a, calloc(pixels, 4));
    a->r.depth_size = pixels * 4;
}

static size_t buffers(struct answer *a, const struct driver_buffer *b, size_t count, struct driver_output *to,
                      size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < count && i < room; i++)
        if (b[i].bring_back)
            to[n++] = (struct driver_output){ b[i].binding, own(a, flipped(b[i].data, b[i].size)), b[i].size };
    return n;
}

static void be_honest(struct answer *a, const struct driver_case *c)
{
    *a = (struct answer){
        .r = { .status = DRIVER_RAN, .position = -1, .native = 1, .message = "", .detail = "" }
    };
    a->r.storage = a->storage;
    a->r.colors = a->colors;
    a->r.counters = a->counters;
    a->r.textures = a->textures;
    if (c->load_only)
        return;
    a->r.storage_count = buffers(a, c->storage, c->storage_count, a->storage, 64);
    a->r.counter_count = buffers(a, c->counters, c->counter_count, a->counters, 16);
    for (size_t i = 0; i < c->texture_count && i < 16; i++) {
        const struct gp5_texture *t = &c->textures[i].texture;
        if (c->textures[i].bring_back)
            a->textures[a->r.texture_count++] =
                (struct driver_output){ t->unit, own(a, flipped(t->data, t->bytes)), t->bytes };
    }
    a->r.has_extras = driver_case_returns_extras(c);
    if (c->stage == DRIVER_FRAGMENT)
        paint(a, &c->raster);
}

static void finish(struct liar *l, struct answer *a)
{
    wire_begin(&l->out, MESSAGE_RESULT, l->in.header.sequence);
    protocol_put_result(&l->out, &a->r);
    if (!wire_end(&l->out))
        _exit(9);
}

static void send_answer(const struct liar *l)
{
    raw(l->out.data, l->out.size);
}

/* ---- commands ------------------------------------------------------------------------------------------ */

/* Those that die or hang in place of an answer. */
static void misbehave(const char *word)
{
    if (!strcmp(word, "segv")) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    } else if (!strcmp(word, "abort")) {
        abort();
    } else if (!strcmp(word, "exit")) {
        _exit(42);
    } else if (!strcmp(word, "lost")) {
        _exit(PROTOCOL_EXIT_LOST);
    } else if (!strcmp(word, "hang")) {
        hang();
    } else if (!strcmp(word, "deaf")) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        hang();
    } else if (!strcmp(word, "garbage")) {
        raw("GL_ERROR: something is rotten in the state of this context\n", 59);
        hang();
    } else if (!strcmp(word, "flood")) {
        flood();
    } else if (!strcmp(word, "drip")) {
        for (;; nap(1))
            raw("gp5w", 1);
    }
}

/* Those that need a right frame to begin with, and spoil its bytes. */
static void spoil_frame(const char *word, struct wire_out *out)
{
    if (!strcmp(word, "truncated-exit") || !strcmp(word, "truncated-hang")) {
        raw(out->data, out->size - 1);
        if (word[10] == 'h')
            hang();
        _exit(0);
    } else if (!strcmp(word, "header-only")) {
        raw(out->data, WIRE_HEADER / 2);
        _exit(0);
    } else if (!strcmp(word, "oversize")) {
        memset(out->data + 12, 0xff, 4);
    } else if (!strcmp(word, "promise")) {
        memcpy(out->data + 12, "\0\0\0\x3f", 4);    /* nearly 1 GiB to come, and it never does */
    } else if (!strcmp(word, "checksum")) {
        out->data[16] ^= 1;
    } else if (!strcmp(word, "payload")) {
        out->data[WIRE_HEADER] ^= 1;
    } else if (!strcmp(word, "magic")) {
        out->data[0] ^= 1;
    } else if (!strcmp(word, "version")) {
        out->data[4] ^= 1;
    } else if (!strcmp(word, "type")) {
        out->data[6] ^= 1;
    } else if (!strcmp(word, "sequence")) {
        out->data[8] ^= 1;
    }
}

/* Those that are well-formed messages and no answers to the question. */
static void spoil_answer(const char *word, struct answer *a)
{
    static const uint8_t byte[1];
    if (!strcmp(word, "bit") && a->r.storage_count && a->storage[0].size)
        a->owned[0][a->storage[0].size / 2] ^= WRONG_BIT;
    else if (!strcmp(word, "short") && a->r.storage_count)
        a->storage[0].size--;
    else if (!strcmp(word, "binding") && a->r.storage_count)
        a->storage[0].binding++;
    else if (!strcmp(word, "missing") && a->r.storage_count)
        a->r.storage_count--;
    else if (!strcmp(word, "extra"))
        a->storage[a->r.storage_count++] = (struct driver_output){ 9, byte, 1 };
    else if (!strcmp(word, "counter-size") && a->r.counter_count)
        a->counters[0].size -= 4;
    else if (!strcmp(word, "counter-missing"))
        a->r.counter_count = 0;
    else if (!strcmp(word, "texture-size") && a->r.texture_count)
        a->textures[0].size--;
    else if (!strcmp(word, "texture-unit") && a->r.texture_count)
        a->textures[0].binding++;
    else if (!strcmp(word, "texture-extra"))
        a->textures[a->r.texture_count++] = (struct driver_output){ 9, byte, 1 };
    else if (!strcmp(word, "extras-missing"))
        a->r.has_extras = false;
    else if (!strcmp(word, "columns"))      /* each second one covered */
        for (size_t i = 0; i < a->owned_count; i++)
            for (size_t p = 0; a->owned[i] == a->r.coverage && p < a->r.coverage_size; p += 2)
                a->owned[i][p] = 0;
    else if (!strcmp(word, "status"))
        a->r.status = DRIVER_STATUSES;
    else if (!strcmp(word, "claims-crash"))
        a->r.status = DRIVER_CRASHED;
    else if (!strcmp(word, "rejects")) {
        a->r = (struct driver_result){ .status = DRIVER_REJECTED,
                                       .gl_error = 0x502,
                                       .position = 7,
                                       .native = -1,
                                       .message = "line 1, column 8:  error: I do not like it",
                                       .detail = "" };
    }
}

/* Those that answer rightly and misbehave afterwards. */
static void after(const char *word, struct liar *l)
{
    if (!strcmp(word, "then-dies"))
        _exit(1);
    if (!strcmp(word, "then-babbles"))
        raw("oops", 4);
    if (!strcmp(word, "then-floods"))
        flood();
    if (!strcmp(word, "poison"))
        l->poisoned = true;
}

static void command(const struct driver_case *c, char *word, size_t size)
{
    static const char prefix[] = "liar: ";
    size_t n = sizeof prefix - 1, used = 0;
    for (size_t i = 0; i + n <= c->program_size; i++) {
        if (memcmp(c->program + i, prefix, n))
            continue;
        for (i += n; i < c->program_size && c->program[i] != '\n' && used + 1 < size; i++)
            word[used++] = c->program[i];
        break;
    }
    word[used] = 0;
}

static void serve(struct liar *l)
{
    struct driver_case c;
    struct answer a;
    char word[64];
    const char *error = protocol_get_case(&l->in, &c);
    if (error) {
        fprintf(stderr, "liar: the case is wrong: %s\n", error);
        _exit(8);
    }
    command(&c, word, sizeof word);
    if (l->poisoned)
        _exit(7);
    misbehave(word);
    if (!strcmp(word, "slow"))
        nap(100);
    be_honest(&a, &c);
    spoil_answer(word, &a);
    finish(l, &a);
    spoil_frame(word, &l->out);
    send_answer(l);
    after(word, l);
    while (a.owned_count)
        free(a.owned[--a.owned_count]);
    protocol_free_case(&c);
}

/* ---- greeting ------------------------------------------------------------------------------------------ */

static void greet(struct liar *l)
{
    const char *context;
    uint32_t timeout_ms;
    const char *extensions[] = { "GL_LIAR_everything", "GL_NV_compute_program5" };
    struct driver_limit limits[] = { { "lies", INT64_MAX }, { "truths", -1 } };
    struct driver_description d = {
        .context = "test", .vendor = "Liar", .renderer = "none", .version = "0.0", .glsl_version = "",
        .extensions = extensions, .extension_count = 2, .limits = limits, .limit_count = 2
    };
    if (wire_receive(0, &l->in, WIRE_FOREVER) != WIRE_OK || protocol_get_hello(&l->in, &context, &timeout_ms))
        _exit(8);
    misbehave(context);
    bool refuses = !strcmp(context, "refuse");
    wire_begin(&l->out, refuses ? MESSAGE_REFUSED : MESSAGE_WELCOME, l->in.header.sequence);
    if (refuses)
        protocol_put_refused(&l->out, DRIVER_NO_CONTEXT, "there is no context, honestly");
    else
        protocol_put_welcome(&l->out, &d);
    if (!wire_end(&l->out))
        _exit(9);
    spoil_frame(context, &l->out);
    send_answer(l);
}

int main(void)
{
    struct liar l = {0};
    greet(&l);
    while (wire_receive(0, &l.in, WIRE_FOREVER) == WIRE_OK)
        serve(&l);
    wire_in_free(&l.in);
    wire_out_free(&l.out);
    return 0;
}
