/* The time of day, as HTTP has it. */
#ifndef SUDOKU_SERVER_DATE_H
#define SUDOKU_SERVER_DATE_H

#include <time.h>

enum { DATE_SIZE = 30 };

/* A date that is made anew when it is another second; zeros: none yet. One thread's. */
struct date {
    time_t second;
    char text[DATE_SIZE];
};

/* Now: "Mon, 30 Nov 2026 14:23:05 GMT", good until the next call. */
const char *date_now(struct date *kept);

/* That of a second since 1970. */
void date_print(time_t second, char ret_text[DATE_SIZE]);

#endif
