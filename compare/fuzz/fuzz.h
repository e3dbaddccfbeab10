/* Programs to try a parser with: valid ones grown from tables, and the same with something broken. Program N of a seed
 * is always the same text. Nothing here knows how gp5 itself judges a program. */
#ifndef GP5_COMPARE_FUZZ_FUZZ_H
#define GP5_COMPARE_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. After an allocation failed nothing more is added, and `failed` says so. */
struct fuzz_text {
    char *bytes;
    size_t size, capacity;
    bool failed;
};

void fuzz_text_add(struct fuzz_text *t, const char *bytes, size_t size);
void fuzz_text_put(struct fuzz_text *t, const char *s);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fuzz_text_printf(struct fuzz_text *t, const char *format, ...);
void fuzz_text_free(struct fuzz_text *t);

enum fuzz_profile_id {
    FUZZ_AVP, FUZZ_AVP2, FUZZ_AVP3, FUZZ_AFP, FUZZ_AFP1, FUZZ_AFP2, FUZZ_VP4, FUZZ_GP4, FUZZ_FP4, FUZZ_VP5, FUZZ_TCP5,
    FUZZ_TEP5, FUZZ_GP5, FUZZ_FP5, FUZZ_CP5, FUZZ_PROFILES
};

enum { FUZZ_WHAT = 64 };

struct fuzz_settings {
    uint64_t seed;
    uint32_t profiles;          /* a bit each; 0: all */
    unsigned broken;            /* of a hundred programs so many are broken */
};

struct fuzz_about {
    enum fuzz_profile_id profile;
    bool broken;
    char what[FUZZ_WHAT];       /* what was broken: the mutations' names, joined by + */
};

/* Replaces the text. False without memory. */
bool fuzz_program(const struct fuzz_settings *settings, uint64_t number, struct fuzz_text *text,
                  struct fuzz_about *about);

/* A text that somebody wrote. */
struct fuzz_seed {
    const char *bytes;
    size_t size;
};
/* The same of a text that is one of these, broken in one place or a few, or with settings->broken below 100 as it is;
 * the profile is one of its stage. False without memory. */
bool fuzz_mutant(const struct fuzz_settings *settings, const struct fuzz_seed *seeds, size_t count, uint64_t number,
                 struct fuzz_text *text, struct fuzz_about *about);

const char *fuzz_profile_name(enum fuzz_profile_id id);         /* "cp5" */
const char *fuzz_profile_stage(enum fuzz_profile_id id);        /* "compute" */
/* The profile of a name, or FUZZ_PROFILES. */
enum fuzz_profile_id fuzz_profile_named(const char *name, size_t length);

#endif
