/* gp5: the command. */
#include <stdio.h>

int main(void)
{
    fputs("gp5: no command works yet\n", stderr);
    return 2;
}
