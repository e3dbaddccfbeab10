/* The terminal is ncurses', which is loaded when somebody asks for it: the command needs no terminal library. */
#include "cli/screen.h"
#include "cli/cli.h"
#include "compare/debug/view.h"

#define NCURSES_NOMACROS
#include <curses.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct screen {
    struct debugger *debugger;
    struct view view;
    void *library;
    FILE *terminal, *held;      /* what was written while the screen was there */
    int out, err;               /* where stdout and stderr went before */
    char *said;                 /* by the debugger since it was asked last */
    size_t said_size;
    char line[256];
    SCREEN *curses;
    WINDOW *window;
    SCREEN *(*newterm)(const char *, FILE *, FILE *);
    void (*delscreen)(SCREEN *);
    WINDOW *(*newwin)(int, int, int, int);
    int (*delwin)(WINDOW *), (*endwin)(void), (*cbreak)(void), (*noecho)(void), (*keypad)(WINDOW *, bool),
        (*wgetch)(WINDOW *), (*werase)(WINDOW *), (*wrefresh)(WINDOW *), (*getmaxx)(const WINDOW *),
        (*getmaxy)(const WINDOW *), (*mvwaddnstr)(WINDOW *, int, int, const char *, int),
        (*wattr_on)(WINDOW *, attr_t, void *), (*wattr_off)(WINDOW *, attr_t, void *), (*wmove)(WINDOW *, int, int),
        (*curs_set)(int);
};

/* dlsym gives a pointer to an object, which C does not let become one to a function but by its bytes. */
static bool find(struct screen *s, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(s->library, name);
    memcpy(function, &symbol, size);
    return symbol;
}

static bool load(struct screen *s)
{
    static const char *const names[] = {"libncursesw.so.6", "libncurses.so.6", "libncursesw.so.5"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !s->library; i++)
        s->library = dlopen(names[i], RTLD_NOW);
#define FIND(name) find(s, #name, &s->name, sizeof s->name)
    return s->library && FIND(newterm) && FIND(delscreen) && FIND(newwin) && FIND(delwin) && FIND(endwin) &&
           FIND(cbreak) && FIND(noecho) && FIND(keypad) && FIND(wgetch) && FIND(werase) && FIND(wrefresh) &&
           FIND(getmaxx) && FIND(getmaxy) && FIND(mvwaddnstr) && FIND(wattr_on) && FIND(wattr_off) &&
           FIND(wmove) && FIND(curs_set);
#undef FIND
}

static void put(void *user, int row, int column, enum view_style style, const char *text, int length)
{
    static const attr_t attributes[] = {[VIEW_PLAIN] = A_NORMAL, [VIEW_TITLE] = A_REVERSE, [VIEW_HERE] = A_REVERSE,
                                        [VIEW_CHANGED] = A_BOLD, [VIEW_DIM] = A_DIM};
    struct screen *s = user;
    s->wattr_on(s->window, attributes[style], NULL);
    s->mvwaddnstr(s->window, row, column, text, length);
    s->wattr_off(s->window, attributes[style], NULL);
}

static void draw(struct screen *s)
{
    s->view.width = s->getmaxx(s->window);
    s->view.height = s->getmaxy(s->window);
    s->werase(s->window);
    view_draw(s->debugger, &s->view, s->said, s->said_size);
    s->wmove(s->window, s->view.height - 1, 0);
    s->wrefresh(s->window);
}

/* A command's line, on the last row. False when it was left with Escape. */
static bool read_line(struct screen *s)
{
    size_t n = 0;
    bool taken = false;
    s->curs_set(1);
    for (;;) {
        char row[sizeof s->line + 8];
        s->line[n] = 0;
        int length = snprintf(row, sizeof row, ":%s%*s", s->line, 4, "");
        put(s, s->view.height - 1, 0, VIEW_PLAIN, row, length < s->view.width ? length : s->view.width - 1);
        s->wmove(s->window, s->view.height - 1, (int)n + 1);
        s->wrefresh(s->window);
        int key = s->wgetch(s->window);
        if (key == '\n' || key == '\r' || key == KEY_ENTER) {
            taken = true;
            break;
        }
        if (key == 27 || key == ERR)
            break;
        if ((key == KEY_BACKSPACE || key == 127 || key == 8) && n)
            n--;
        else if (key >= ' ' && key < 127 && n + 1 < sizeof s->line)
            s->line[n++] = (char)key;
    }
    s->curs_set(0);
    return taken;
}

static int within(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The next command: a key, or a line behind a colon. */
static const char *next_command(void *user, const char *prompt)
{
    struct screen *s = user;
    (void)prompt;
    fflush(s->debugger->out);
    const char *command = NULL;
    while (!command) {
        draw(s);
        int key = s->wgetch(s->window);
        switch (key) {
        case 's': case '\n': command = "step"; break;
        case 'c': command = "continue"; break;
        case 'q': command = "quit"; break;
        case 'x': s->view.format = s->view.format ? 0 : 'x'; break;
        case KEY_RIGHT: s->view.lane = within(s->view.lane + 4, WARP_LANES - 4); break;
        case KEY_LEFT: s->view.lane = within(s->view.lane - 4, WARP_LANES - 4); break;
        case KEY_DOWN: s->view.first = within(s->view.first + 1, 1 << 20); break;
        case KEY_UP: s->view.first = within(s->view.first - 1, 1 << 20); break;
        case KEY_NPAGE: s->view.first = within(s->view.first + 10, 1 << 20); break;
        case KEY_PPAGE: s->view.first = within(s->view.first - 10, 1 << 20); break;
        case ':': command = read_line(s) ? s->line : NULL; break;
        case ERR: command = feof(s->terminal) || ferror(s->terminal) ? "quit" : NULL; break;
        default: break;
        }
    }
    rewind(s->debugger->out);           /* what is said from now on is the answer */
    return command;
}

/* stdout and stderr into a file until the screen is gone. */
static bool hold(struct screen *s)
{
    s->held = tmpfile();
    s->out = dup(STDOUT_FILENO);
    s->err = dup(STDERR_FILENO);
    fflush(stdout);
    return s->held && s->out >= 0 && s->err >= 0 && dup2(fileno(s->held), STDOUT_FILENO) >= 0 &&
           dup2(fileno(s->held), STDERR_FILENO) >= 0;
}

static void release(struct screen *s)
{
    char bytes[4096];
    size_t n;
    fflush(stdout);
    if (s->out >= 0)
        dup2(s->out, STDOUT_FILENO);
    if (s->err >= 0)
        dup2(s->err, STDERR_FILENO);
    close(s->out);
    close(s->err);
    if (!s->held)
        return;
    rewind(s->held);
    while ((n = fread(bytes, 1, sizeof bytes, s->held)) > 0)
        fwrite(bytes, 1, n, stdout);
    fclose(s->held);
    fflush(stdout);
}

void screen_close(struct screen *s)
{
    if (!s)
        return;
    if (s->window)
        s->delwin(s->window);
    if (s->curses) {
        s->endwin();
        s->delscreen(s->curses);
        release(s);
    }
    if (s->terminal)
        fclose(s->terminal);
    if (s->debugger->out != stdout)
        fclose(s->debugger->out);
    free(s->said);
    if (s->library)
        dlclose(s->library);
    free(s);
}

struct screen *screen_open(struct debugger *d)
{
    struct screen *s = calloc(1, sizeof *s);
    FILE *said;
    if (!s) {
        cli_error("debug", "no memory");
        return NULL;
    }
    s->debugger = d;
    s->out = s->err = -1;
    s->view.put = put;
    s->view.user = s;
    s->terminal = isatty(STDOUT_FILENO) ? fopen("/dev/tty", "r+") : NULL;
    if (!s->terminal) {
        cli_error("debug", "--tui needs a terminal");
    } else if (!load(s)) {
        cli_error("debug", "--tui needs ncurses, which is not here (libncursesw6)");
    } else if (!(said = open_memstream(&s->said, &s->said_size))) {
        cli_error("debug", "no memory");
    } else {
        d->out = said;
        s->curses = s->newterm(NULL, s->terminal, s->terminal);
        s->window = s->curses ? s->newwin(0, 0, 0, 0) : NULL;
        if (!s->window) {
            cli_error("debug", "ncurses does not know this terminal");
        } else if (!hold(s)) {
            cli_error("debug", "no temporary file");
        } else {
            s->cbreak();
            s->noecho();
            s->keypad(s->window, true);
            s->curs_set(0);
            d->read = next_command;
            d->user = s;
            d->compares = true;
            return s;
        }
    }
    screen_close(s);
    d->out = stdout;
    return NULL;
}
