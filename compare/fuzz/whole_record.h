/* A driver's answers to whole programs, kept so that they can be judged again without the driver. */
#ifndef GP5_COMPARE_FUZZ_WHOLE_RECORD_H
#define GP5_COMPARE_FUZZ_WHOLE_RECORD_H

#include "compare/fuzz/whole_run.h"

/* A line a program: its number, 12 hex digits of a hash over the program and the driver's words (those that gp5 calls
 * undefined as zeros), and where gp5 gave something else, the words of program.storage[1] and [2] as hex digits. A
 * program that an undefined value decided has a "-" for a hash. Other lines, and what follows, are somebody else's.
 * Where a line is read, a hash may be cut to 8 digits. */
enum { WHOLE_HASH = 13, WHOLE_LEAST_HASH = 8 };

bool whole_record(FILE *to, const struct whole_case *c, uint64_t number, enum whole_verdict verdict,
                  const struct whole_answer *gp5, const struct whole_answer *driver);

struct whole_recording;
struct whole_recording *whole_recording_read(const char *text, size_t size);    /* NULL without memory */
void whole_recording_free(struct whole_recording *r);

bool whole_recording_has(const struct whole_recording *r, uint64_t number);

/* A line of it again, for who judged the program now: without the words, but "unlike" behind the hash where gp5 gives
 * something else. */
bool whole_record_again(FILE *to, const struct whole_recording *r, const struct whole_case *c, uint64_t number,
                        enum whole_verdict verdict, const struct whole_answer *gp5);

/* gp5's answer beside the recorded one; false without memory. */
bool whole_recording_compare(const struct whole_recording *r, const struct whole_case *c, uint64_t number,
                             const struct whole_answer *gp5, enum whole_verdict *verdict, char why[WHOLE_WHY]);

#endif
