/* The survey: small programs given to a driver to learn what it accepts. What is asked depends on what was answered
 * before: a declaration that a profile refuses is left out of the programs that follow, and modifiers are tried on the
 * operands that an instruction was found to take.
 *
 * One run asks about one profile and writes one JSON object a line: first the profile, then preambles ({"preamble": id,
 * "text"}) and answers: {"n": what was asked, group/.../form, "p": id of its preamble, "b": the text after the
 * preamble, "s": status, "o": error position, "m": the driver's words}. The program is preamble + b + the profile's
 * tail; where "p" is -1, b alone. */
#ifndef GP5_TESTS_SURVEY_H
#define GP5_TESTS_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "compare/driver/driver.h"

enum survey_family { SURVEY_OLD, SURVEY_ARB, SURVEY_GP4, SURVEY_GP5 };

struct survey_profile {
    const char *id;             /* "cp5", "avp2" ... */
    const char *header;
    enum driver_stage stage;
    enum survey_family family;
    const char *options;        /* lines that make this profile what it is */
    const char *needs;          /* declarations without which nothing loads */
    const char *attribute, *result; /* of which each program can have one */
    const char *tail;           /* what ends every program */
};

extern const struct survey_profile survey_profiles[];
extern const size_t survey_profile_count;

enum { SURVEY_TEXT = 4096, SURVEY_PREAMBLES = 1024 };

struct survey {
    const struct survey_profile *profile;
    struct driver *driver;
    FILE *out;
    double deadline;            /* CLOCK_MONOTONIC; nothing is asked after it */
    unsigned long asked, accepted, unanswered;
    char *preambles[SURVEY_PREAMBLES];
    size_t preamble_count;
    char dead_group[64];        /* whose cases end the worker again and again */
    unsigned deaths;
    bool last;
    long long last_position;    /* of the error in the last answer, and the driver's words for it */
    char last_message[256];
    char plain[SURVEY_TEXT];    /* header and what the profile needs */
    char rich[2 * SURVEY_TEXT]; /* with every option and declaration that loads */
    char accepted_options[SURVEY_TEXT]; /* ";"-separated names, for the search of what an instruction needs */
};

/* Asks whether preamble + body + tail loads. The name is what was asked, its first two parts the group. */
bool survey_ask(struct survey *s, const char *preamble, const char *body, const char *name, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a text that is a whole program. */
bool survey_ask_whole(struct survey *s, const char *program, const char *name, ...)
    __attribute__((format(printf, 3, 4)));
bool survey_ask_text(struct survey *s, const char *program, size_t size, const char *name);

/* `form` has one %d. Asks for `most`, and, where that is refused, for the greatest number that is not. -1: none. */
long survey_limit(struct survey *s, const char *preamble, const char *form, long least, long most, const char *name);

/* A copy of `form` in which every `mark` is `with`. False when it does not fit. */
bool survey_put(char *to, size_t size, const char *form, char mark, const char *with);

/* The parts of the survey; survey_begin makes the preambles. False: this profile does not load at all. */
bool survey_begin(struct survey *s);
void survey_options(struct survey *s);
void survey_declarations(struct survey *s);
void survey_bindings(struct survey *s);
void survey_limits(struct survey *s);
void survey_shapes(struct survey *s);
void survey_modifiers(struct survey *s);
void survey_operands(struct survey *s);
void survey_textures(struct survey *s);
void survey_memory(struct survey *s);
void survey_conditions(struct survey *s);
void survey_questions(struct survey *s);

/* Lists of words, each ended by NULL. */
extern const char *const survey_opcodes[], *const survey_modifier_words[], *const survey_suffixes[];
extern const char *const survey_option_names[], *const survey_binding_forms[], *const survey_targets[];
extern const char *const survey_type_words[], *const survey_storage_words[], *const survey_rules[];

#endif
