/* The debugger's full screen: the program, the lanes, the registers across them and what changed. It says what stands
 * where; who has a terminal puts it there. */
#ifndef GP5_COMPARE_VIEW_H
#define GP5_COMPARE_VIEW_H

#include "compare/debug/debugger.h"

enum view_style { VIEW_PLAIN, VIEW_TITLE, VIEW_HERE, VIEW_CHANGED, VIEW_DIM };

struct view {
    int width, height;
    int first;                  /* register row that is shown first, and lane */
    int lane;
    char format;                /* as of print; 0: numbers by their type */
    void (*put)(void *user, int row, int column, enum view_style style, const char *text, int length);
    void *user;
};

/* Puts all of it; `messages` are what commands said. */
void view_draw(const struct debugger *d, struct view *v, const char *messages, size_t size);

#endif
