#include "date.h"

#include <stdio.h>

/* Not strftime, whose names are those of a locale. */
void date_print(time_t second, char ret_text[DATE_SIZE])
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm utc;

    gmtime_r(&second, &utc);
    snprintf(ret_text, DATE_SIZE, "%s, %02u %s %04u %02u:%02u:%02u GMT", days[utc.tm_wday],
             (unsigned)utc.tm_mday % 100, months[utc.tm_mon],
             (unsigned)(utc.tm_year + 1900) % 10000, (unsigned)utc.tm_hour % 100,
             (unsigned)utc.tm_min % 100, (unsigned)utc.tm_sec % 100);
}

const char *date_now(struct date *kept)
{
    const time_t now = time(NULL);

    if (now != kept->second || kept->text[0] == '\0') {
        kept->second = now;
        date_print(now, kept->text);
    }
    return kept->text;
}
