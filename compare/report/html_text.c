/* Text in a page, and how the page looks. */
#include "compare/report/html.h"

#include <string.h>

/* How many bytes a well-formed character takes, 0 where there is none. */
static size_t character(const unsigned char *s, size_t size)
{
    size_t n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;
    if (n > size)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) || (*s == 0xf0 && s[1] < 0x90) ||
        (*s == 0xf4 && s[1] >= 0x90) || (*s == 0xc2 && s[1] < 0xa0))
        return 0;
    return n;
}

void html_text(FILE *f, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const unsigned char *s = (const unsigned char *)text + i;
        size_t n = character(s, size - i);
        if (*s == '&')
            fputs("&amp;", f);
        else if (*s == '<')
            fputs("&lt;", f);
        else if (*s == '>')
            fputs("&gt;", f);
        else if (*s == '"')
            fputs("&quot;", f);
        else if (*s == '\'')
            fputs("&#39;", f);
        else if (*s == '\r' && size - i > 1 && s[1] == '\n')
            ;
        else if (!n || (*s < 32 && *s != '\n' && *s != '\t') || *s == 127)
            fputs("\xef\xbf\xbd", f);
        else
            fwrite(s, 1, n, f);
        i += n ? n : 1;
    }
}

void html_words(FILE *f, const char *text)
{
    html_text(f, text, strlen(text));
}

static bool is_marked(const struct html_mark *marks, size_t count, size_t line, enum html_why *why)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (marks[i].line == line) {
            if (!any || marks[i].why > *why)
                *why = marks[i].why;
            any = true;
        }
    return any;
}

void html_source(FILE *f, const char *id, char letter, const char *text, size_t size, const struct html_mark *marks,
                 size_t count)
{
    static const struct { const char *class, *said; } whys[] = {
        [HTML_COMMAND] = {"command", "this command"},
        [HTML_STORES] = {"stores", "writes what differs"},
        [HTML_UNDEFINED] = {"undefined", "undefined from here"},
        [HTML_WRONG] = {"wrong", "here"},
    };
    size_t line = 1;
    fputs("<pre class=source>", f);
    for (size_t at = 0; at < size; line++) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t end = newline ? (size_t)(newline - text) : size;
        enum html_why why = HTML_COMMAND;
        bool marked = is_marked(marks, count, line, &why);
        fprintf(f, "<span id=%s-%c%zu class=\"l %s\"><a href=\"#%s-%c%zu\">%4zu</a> ", id, letter, line,
                marked ? whys[why].class : "", id, letter, line, line);
        html_text(f, text + at, end - at);
        if (marked)
            fprintf(f, "  <b>&#8592; %s</b>", whys[why].said);
        fputs("\n</span>", f);
        at = end + 1;
    }
    fputs("</pre>\n", f);
}

const char html_style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\n"
    "h1{font-size:1.6em;margin:0 0 .3em}h2{font-size:1.2em;margin:1.6em 0 .4em}\n"
    "pre,code,.finding{font:13px/1.4 ui-monospace,monospace}pre{overflow-x:auto;margin:.4em 0}\n"
    "a{color:inherit}.counts a{display:inline-block;padding:.2em .8em;margin-right:.5em;border-radius:1em;color:#fff;"
    "text-decoration:none}\n"
    ".fail>summary b,.counts .fail{background:#b3261e}.error>summary b,.counts .error{background:#8a2be2}\n"
    ".skip>summary b,.counts .skip{background:#8a6d00}.pass>summary b,.counts .pass{background:#1b7f3b}\n"
    "details.test{border:1px solid #8886;border-radius:.4em;margin:.35em 0;padding:.35em .8em}\n"
    "details.test:target{outline:2px solid #3b82f6}\n"
    "summary{cursor:pointer}details.test>summary b{color:#fff;border-radius:.3em;padding:0 .5em;font-size:.85em;"
    "margin-right:.4em}\n"
    "summary .why{color:#8a6d00}.link{float:right;text-decoration:none;opacity:.6}\n"
    "table{border-collapse:collapse;margin:.5em 0}td{padding:.1em .8em .1em 0;vertical-align:top}"
    "td:first-child{opacity:.7}\n"
    "ol{margin:.4em 0;padding-left:2em}li:target{outline:2px solid #3b82f6}\n"
    "figure{display:inline-block;margin:.5em 1em .5em 0;vertical-align:top}figcaption{font-size:.85em;opacity:.8}\n"
    "img{image-rendering:pixelated;border:1px solid #8888;background:#8882;min-width:8em;max-width:24em;height:auto}\n"
    ".source{border-left:3px solid #8884;padding-left:.5em}.source .l{display:block}"
    ".source a{opacity:.5;text-decoration:none;user-select:none}\n"
    ".source .l:target{outline:1px solid #3b82f6}.command{background:#3b82f622}.stores{background:#b3261e33}\n"
    ".undefined{background:#d9a40033}.wrong{background:#b3261e55}.source b{font-weight:600;opacity:.85}\n"
    ".map{display:grid;width:max-content;max-width:100%;overflow-x:auto;grid-auto-rows:.75em;gap:1px 0;margin:.4em 0;"
    "border:1px solid #8886;padding:2px}\n"
    ".map>*,.key i{display:block;height:.75em;background:repeating-linear-gradient(90deg,var(--c) 0 .65em,#0000 .65em "
    ".75em)}.key i{display:inline-block;width:.75em;margin:0 .3em 0 .9em}\n"
    ".m0{--c:#8885}.m1{--c:#4a8f5a}.m2{--c:#3b5bff}.m3{--c:#ff2a2a}.m4{--c:#e6b800}.m5{--c:#ff4fd8}.m6{--c:#8a6d00}"
    ".m7{--c:#8a2be2}\n"
    ".map :target,tr:target{outline:2px solid #3b82f6}.values td{font:13px/1.4 ui-monospace,monospace}\n";
