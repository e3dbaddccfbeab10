/* The lines of a text, for who asks for many places in any order. */
#include "asm/diag.h"

#include "asm/arena.h"

/* A line ends with LF, CR or CR LF. */
static bool ends_line(const char *text, size_t size, size_t i)
{
    return text[i] == '\n' || (text[i] == '\r' && !(i + 1 < size && text[i + 1] == '\n'));
}

bool diag_index_lines(struct line_index *index, const char *text, size_t size)
{
    size_t n = 1;

    for (size_t i = 0; i < size; i++)
        n += ends_line(text, size, i);
    *index = (struct line_index){.start = gp5_malloc(n * sizeof *index->start)};
    if (!index->start)
        return false;
    index->start[index->count++] = 0;
    for (size_t i = 0; i < size; i++)
        if (ends_line(text, size, i))
            index->start[index->count++] = (uint32_t)(i + 1);
    return true;
}

uint32_t diag_line_at(const struct line_index *index, uint32_t offset)
{
    uint32_t low = 0, high = index->count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (index->start[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

void diag_free_lines(struct line_index *index)
{
    gp5_free(index->start);
    *index = (struct line_index){0};
}
