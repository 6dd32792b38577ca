/* What hostile and broken clients get. Each row of the tables is sent over a real socket with one
 * more request behind it, which is answered only where the connection is to stay open: a request
 * that must not be smuggled in. The rows that say LIBRARY are answered by libmicrohttpd 0.9.75 by
 * itself; README.md tells of them. */
#include <errno.h>
#include <netinet/tcp.h>

#include "client.h"
#include "puzzles.h"
#include "support.h"

/* The request behind; its answer, and no other, has its name in it, and ends the connection. */
static const char probe[] = "GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: smuggled-in\r\n"
                            "Connection: close\r\n\r\n";

enum then { CLOSES, STAYS };

struct row {
    const char *name;
    const char *bytes;
    size_t length;
    unsigned status; /* 0: closed without an answer */
    const char *says;
    enum then then;
};

#define LIBRARY   "<html>"
#define MALFORMED "/problems/malformed-request"
#define MISSING   "/problems/not-implemented"
#define ALIVE     "\"status\":\"live\""

#define ROW(name, bytes, status, says, then)                                                       \
    {                                                                                              \
        name, bytes, sizeof(bytes) - 1, status, says, then                                         \
    }
#define GET(name, headers, status, says, then)                                                     \
    ROW(name, "GET /livez HTTP/1.1\r\n" headers "\r\n", status, says, then)
#define POST(name, headers, body, status, says, then)                                              \
    ROW(name,                                                                                      \
        "POST /solve HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n" headers "\r\n" body,     \
        status, says, then)
#define LINE(name, line, status, says, then)                                                       \
    ROW(name, line "\r\nHost: x\r\n\r\n", status, says, then)

/* Reads all until the connection ends, and closes it. The caller frees what was read. */
static char *read_all(int fd, size_t *ret_length)
{
    size_t length = 0;
    size_t size = 4096;
    char *text = malloc(size);

    for (;;) {
        ck_assert_ptr_nonnull(text);
        const ssize_t got = recv(fd, text + length, size - length - 1, 0);
        /* A reset after the answer is an end too; no end at all is not. */
        ck_assert(got >= 0 || errno == ECONNRESET);
        if (got <= 0)
            break;
        length += (size_t)got;
        if (length + 1 == size)
            text = realloc(text, size *= 2);
    }
    text[length] = '\0';
    *ret_length = length;
    close(fd);
    return text;
}

/* Sends as much as the server takes. */
static void send_some(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

static unsigned status_of(const char *answer)
{
    unsigned status = 0;

    (void)sscanf(answer, "HTTP/1.1 %u", &status);
    return status;
}

static bool check_answer(const struct row *row, int fd)
{
    size_t length;
    char *answer = read_all(fd, &length);
    const unsigned status = status_of(answer);
    const bool is_open = strstr(answer, "smuggled-in") != NULL;
    bool is_right = status == row->status && is_open == (row->then == STAYS) &&
                    strstr(answer, row->says) != NULL;

    /* What the program answers itself is a problem with its name, and says that it closes. */
    if (is_right && status >= 400 && strcmp(row->says, LIBRARY) != 0) {
        is_right = strstr(answer, "application/problem+json") != NULL &&
                   strstr(answer, "X-Request-Id: ") != NULL &&
                   (row->then == STAYS || strcasestr(answer, "Connection: close\r\n") != NULL);
    }
    if (!is_right)
        printf("%s: wanted %u, %s, %s; got %u, %s: %s\n", row->name, row->status, row->says,
               row->then == STAYS ? "open" : "closed", status, is_open ? "open" : "closed", answer);
    free(answer);
    return is_right;
}

static bool try_row(const struct server *server, const struct row *row)
{
    char *bytes = malloc(row->length + sizeof probe);
    const int fd = client_connect(server);

    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, row->bytes, row->length);
    memcpy(bytes + row->length, probe, sizeof probe - 1);
    send_some(fd, bytes, row->length + sizeof probe - 1);
    const bool is_right = check_answer(row, fd);
    free(bytes);
    return is_right;
}

static void try_rows(const struct row *rows, size_t count)
{
    struct server *server = client_start_server(NULL);
    unsigned wrong = 0;

    for (size_t i = 0; i < count; i++)
        wrong += !try_row(server, &rows[i]);
    ck_assert_uint_eq(wrong, 0);
    server_stop(server, NULL, NULL);
}
#define TRY(rows) try_rows(rows, sizeof(rows) / sizeof((rows)[0]))

START_TEST(the_request_line)
{
    static const struct row rows[] = {
        LINE("plain", "GET /livez HTTP/1.1", 200, ALIVE, STAYS),
        ROW("an empty line before it", "\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 200, ALIVE,
            STAYS),
        ROW("a line that begins with NUL before it",
            "\0x\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n", 200, ALIVE, STAYS),
        ROW("HTTP/1.0 without Host", "GET /livez HTTP/1.0\r\n\r\n", 200, ALIVE, CLOSES),
        ROW("HTTP/1.0 that stays", "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200,
            ALIVE, STAYS),
        LINE("HTTP/1.2", "GET /livez HTTP/1.2", 200, ALIVE, STAYS),
        LINE("HTTP/0.9", "GET /livez", 400, LIBRARY, CLOSES),
        LINE("HTTP/0.9, said", "GET /livez HTTP/0.9", 505, LIBRARY, CLOSES),
        LINE("HTTP/2.0", "GET /livez HTTP/2.0", 505, LIBRARY, CLOSES),
        ROW("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, LIBRARY, CLOSES),
        LINE("a version that is none", "GET /livez HTTP/1.x", 400, LIBRARY, CLOSES),
        LINE("a version in lower case", "GET /livez http/1.1", 400, LIBRARY, CLOSES),
        LINE("a blank behind", "GET /livez HTTP/1.1 ", 400, LIBRARY, CLOSES),
        LINE("no target", "GET HTTP/1.1", 400, LIBRARY, CLOSES),
        LINE("no blank at all", "HELLO", 0, "", CLOSES),
        LINE("TLS", "\x16\x03\x01\x02", 0, "", CLOSES),
        LINE("two blanks before the target", "GET  /livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("two blanks behind the target", "GET /livez  HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a blank in the target", "GET /livez x HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a tab for a blank", "GET\t/livez HTTP/1.1", 400, LIBRARY, CLOSES),
        LINE("a tab in the target", "GET /livez\tx HTTP/1.1", 400, MALFORMED, CLOSES),
        ROW("ends with LF alone", "GET /livez HTTP/1.1\nHost: x\r\n\r\n", 400, MALFORMED, CLOSES),
        LINE("a bare CR in the target", "GET /livez\rx HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a NUL in the target", "GET /livez\0x HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a NUL in the method", "G\0T /livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a method that is no token", "G(T /livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("an empty method", " /livez HTTP/1.1", 0, "", CLOSES),
        LINE("a method in lower case", "get /livez HTTP/1.1", 501, MISSING, CLOSES),
        LINE("an unknown method", "BREW /livez HTTP/1.1", 501, MISSING, CLOSES),
        LINE("CONNECT", "CONNECT x:80 HTTP/1.1", 501, MISSING, CLOSES),
        LINE("TRACE", "TRACE /livez HTTP/1.1", 501, MISSING, CLOSES),
        LINE("a known method", "DELETE /livez HTTP/1.1", 405, "method-not-allowed", STAYS),
        LINE("OPTIONS *", "OPTIONS * HTTP/1.1", 204, "Allow: OPTIONS, POST, GET, HEAD\r\n", CLOSES),
        LINE("OPTIONS of a host", "OPTIONS http://x HTTP/1.1", 204, "Allow: OPTIONS", CLOSES),
        LINE("* for another method", "GET * HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("absolute", "GET http://x/livez HTTP/1.1", 200, ALIVE, STAYS),
        LINE("absolute, https, a port, a query", "GET HTTPS://x.y:80/livez?z=1 HTTP/1.1", 200,
             ALIVE, STAYS),
        LINE("absolute, IPv6", "GET http://[::1]:80/livez HTTP/1.1", 200, ALIVE, STAYS),
        LINE("absolute, without a path", "GET http://x?y HTTP/1.1", 200, "text/html", STAYS),
        LINE("absolute, no host", "GET http:///livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("absolute, a user", "GET http://me@x/livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("absolute, an escape in the host", "GET http://%78/livez HTTP/1.1", 400, MALFORMED,
             CLOSES),
        LINE("absolute, another scheme", "GET ftp://x/livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("absolute, in escapes", "GET http%3a//x/livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a target without a slash", "GET livez HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("an escape", "GET /live%7a HTTP/1.1", 200, ALIVE, STAYS),
        LINE("%00", "GET /livez%00 HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("%00 in the query", "GET /livez?a=%00 HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a bad escape", "GET /livez%zz HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("half an escape", "GET /livez%7 HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("a bad escape in the query", "GET /livez?% HTTP/1.1", 400, MALFORMED, CLOSES),
        LINE("an escaped end of line", "GET /livez%0d%0a HTTP/1.1", 404, "not-found", STAYS),
        LINE("a fragment", "GET /livez#x HTTP/1.1", 400, MALFORMED, CLOSES),
    };

    TRY(rows);
}
END_TEST

START_TEST(the_headers)
{
    static const struct row rows[] = {
        GET("no Host", "", 400, MALFORMED, CLOSES),
        GET("two Hosts", "Host: x\r\nHost: x\r\n", 400, MALFORMED, CLOSES),
        GET("two Hosts in one", "Host: x, y\r\n", 400, MALFORMED, CLOSES),
        GET("an empty Host", "Host:\r\n", 200, ALIVE, STAYS),
        GET("a Host with a port", "Host: a.b:8080\r\n", 200, ALIVE, STAYS),
        GET("a Host with blanks behind", "Host: x \t\r\n", 200, ALIVE, STAYS),
        GET("an IPv6 Host", "Host: [::1]:8080\r\n", 200, ALIVE, STAYS),
        GET("a broken IPv6 Host", "Host: [::1\r\n", 400, MALFORMED, CLOSES),
        GET("a Host with a path", "Host: x/y\r\n", 400, MALFORMED, CLOSES),
        GET("a Host with a user", "Host: me@x\r\n", 400, MALFORMED, CLOSES),
        GET("a Host with a bad port", "Host: x:y\r\n", 400, MALFORMED, CLOSES),
        ROW("two Hosts in HTTP/1.0", "GET /livez HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n", 400,
            MALFORMED, CLOSES),
        GET("a blank before the colon", "Host : x\r\n", 400, MALFORMED, CLOSES),
        GET("a tab before the colon", "Host: x\r\nA\t: b\r\n", 400, MALFORMED, CLOSES),
        GET("no colon", "Host: x\r\nA\r\n", 400, LIBRARY, CLOSES),
        GET("no name, first", ": x\r\nHost: x\r\n", 400, MALFORMED, CLOSES),
        GET("no name", "Host: x\r\n: x\r\n", 400, MALFORMED, CLOSES),
        GET("no name and no value", "Host: x\r\n:\r\n", 400, MALFORMED, CLOSES),
        GET("no name and LF alone, which ends the head", "Host: x\r\n:\nA: b\r\n", 400, MALFORMED,
            CLOSES),
        /* The library writes NULs over CR and LF: whether there was one is not to be seen. */
        GET("NUL and LF for CR and LF", "Host: x\0\n", 200, ALIVE, STAYS),
        GET("LF and NUL for CR and LF, at the end of the head", "Host: x\n\0", 200, ALIVE, STAYS),
        GET("LF, and a line that begins with NUL", "Host: x\n\0x\n", 400, MALFORMED, CLOSES),
        GET("LF and NUL for CR and LF, before it", "Host: x\n\0A: b\r\n", 400, MALFORMED, CLOSES),
        GET("no value and LF alone", "Host: x\r\nA:\n", 400, MALFORMED, CLOSES),
        GET("a name that is no token", "Host: x\r\nA(b: c\r\n", 400, MALFORMED, CLOSES),
        GET("a name that is not ASCII", "Host: x\r\n\xc3\xa4: c\r\n", 400, MALFORMED, CLOSES),
        GET("a control character in a name", "Host: x\r\nA\x01: c\r\n", 400, MALFORMED, CLOSES),
        GET("a NUL in a name", "Host: x\r\nA\0b: c\r\n", 400, LIBRARY, CLOSES),
        GET("a NUL in a value", "Host: x\r\nA: b\0c\r\n", 400, MALFORMED, CLOSES),
        GET("a NUL at the end of a value", "Host: x\r\nA: b\0\r\n", 400, MALFORMED, CLOSES),
        GET("a NUL before a line", "Host: x\r\n\0A: b\r\n", 400, MALFORMED, CLOSES),
        GET("a control character in a value", "Host: x\r\nA: b\x01\r\n", 400, MALFORMED, CLOSES),
        GET("DEL in a value", "Host: x\r\nA: b\x7f\r\n", 400, MALFORMED, CLOSES),
        GET("a bare CR in a value", "Host: x\r\nA: b\rc\r\n", 400, MALFORMED, CLOSES),
        GET("a tab in a value", "Host: x\r\nA: b\tc\r\n", 200, ALIVE, STAYS),
        GET("a value that is not ASCII", "Host: x\r\nA: \xc3\xa4\r\n", 200, ALIVE, STAYS),
        GET("an empty value", "Host: x\r\nA:\r\nB: \r\n", 200, ALIVE, STAYS),
        GET("LF alone", "Host: x\nA: b\r\n", 400, MALFORMED, CLOSES),
        GET("LF alone, last", "Host: x\r\nA: b\n", 400, MALFORMED, CLOSES),
        ROW("LF alone for the empty line", "GET /livez HTTP/1.1\r\nHost: x\r\n\n", 400, MALFORMED,
            CLOSES),
        ROW("LF alone everywhere", "GET /livez HTTP/1.1\nHost: x\n\n", 400, MALFORMED, CLOSES),
        GET("a folded line", "Host: x\r\nA: b\r\n c\r\n", 400, MALFORMED, CLOSES),
        GET("a folded line, by a tab", "Host: x\r\nA: b\r\n\tc\r\nD: e\r\n", 400, MALFORMED,
            CLOSES),
        GET("a folded line of blanks", "Host: x\r\nA: b\r\n  \r\nD: e\r\n", 400, MALFORMED, CLOSES),
        GET("a folded line, first", " A: b\r\nHost: x\r\n", 400, MALFORMED, CLOSES),
        GET("two folds", "Host: x\r\nA: b\r\n c\r\n d\r\n", 400, MALFORMED, CLOSES),
        GET("what is expected", "Host: x\r\nExpect: 200-ok\r\n", 417,
            "/problems/expectation-failed", CLOSES),
        GET("100-continue among others", "Host: x\r\nExpect: 100-continue\r\nExpect: x\r\n", 417,
            "/problems/expectation-failed", CLOSES),
    };

    TRY(rows);
}
END_TEST

START_TEST(the_framing)
{
    static const struct row rows[] = {
        POST("a body", "Content-Length: 81\r\n", EASY, 200, EASY_SOLVED, STAYS),
        POST("a body in chunks", "Transfer-Encoding: chunked\r\n", "51\r\n" EASY "\r\n0\r\n\r\n",
             200, EASY_SOLVED, CLOSES),
        POST("Chunked", "Transfer-Encoding: Chunked\r\n", "51\r\n" EASY "\r\n0\r\n\r\n", 200,
             EASY_SOLVED, CLOSES),
        POST("two lengths", "Content-Length: 81\r\nContent-Length: 0\r\n", EASY, 400, MALFORMED,
             CLOSES),
        POST("two lengths that agree", "Content-Length: 81\r\nContent-Length: 81\r\n", EASY, 400,
             MALFORMED, CLOSES),
        POST("two lengths in one", "Content-Length: 81, 81\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
             "0\r\n\r\n", 400, MALFORMED, CLOSES),
        POST("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
             "0\r\n\r\n", 400, MALFORMED, CLOSES),
        POST("a bad length and chunks", "Transfer-Encoding: chunked\r\nContent-Length: x\r\n",
             "0\r\n\r\n", 400, MALFORMED, CLOSES),
        POST("a length with a blank before the colon", "Content-Length : 81\r\n", EASY, 400,
             MALFORMED, CLOSES),
        POST("a length that a fold makes", "Content-: 81\r\n Length\r\n", EASY, 400, MALFORMED,
             CLOSES),
        POST("a length that is no number", "Content-Length: x\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length with a sign", "Content-Length: +81\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length below zero", "Content-Length: -1\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length in hexadecimal", "Content-Length: 0x51\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("an empty length", "Content-Length:\r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length with a blank behind", "Content-Length: 81 \r\n", EASY, 400, LIBRARY, CLOSES),
        POST("a length of 2^64", "Content-Length: 18446744073709551616\r\n", EASY, 413, LIBRARY,
             CLOSES),
        POST("a length of 2^64 - 1", "Content-Length: 18446744073709551615\r\n", EASY, 413,
             "/problems/body-too-large", CLOSES),
        POST("no length and no chunks", "", "", 400, "/problems/malformed-text", STAYS),
        POST("another coding", "Transfer-Encoding: xchunked\r\n", EASY, 400, MALFORMED, CLOSES),
        POST("a coding behind", "Transfer-Encoding: chunked, identity\r\n", EASY, 400, MALFORMED,
             CLOSES),
        POST("a coding before", "Transfer-Encoding: gzip, chunked\r\n", EASY, 501, MISSING, CLOSES),
        POST("identity", "Transfer-Encoding: identity\r\n", EASY, 400, MALFORMED, CLOSES),
        POST("an empty coding", "Transfer-Encoding:\r\n", EASY, 400, MALFORMED, CLOSES),
        POST("a coding with a parameter", "Transfer-Encoding: chunked;a=b\r\n", EASY, 400,
             MALFORMED, CLOSES),
        POST("a coding with a blank behind", "Transfer-Encoding: chunked \r\n", EASY, 501, MISSING,
             CLOSES),
        POST("a coding with a control character",
             "Transfer-Encoding: \x0b"
             "chunked\r\n",
             EASY, 400, MALFORMED, CLOSES),
        POST("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", EASY,
             400, MALFORMED, CLOSES),
        POST("two codings that differ",
             "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", EASY, 400, MALFORMED,
             CLOSES),
        POST("a coding with a blank before the colon", "Transfer-Encoding : chunked\r\n",
             "0\r\n\r\n", 400, MALFORMED, CLOSES),
        ROW("chunks in HTTP/1.0",
            "POST /solve HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, MALFORMED,
            CLOSES),
        POST("a chunk size that overflows", "Transfer-Encoding: chunked\r\n",
             "10000000000000051\r\n" EASY "\r\n0\r\n\r\n", 413, LIBRARY, CLOSES),
        POST("a chunk size that is no number", "Transfer-Encoding: chunked\r\n",
             "x\r\n" EASY "\r\n0\r\n\r\n", 400, LIBRARY, CLOSES),
        POST("a chunk size with 0x", "Transfer-Encoding: chunked\r\n",
             "0x51\r\n" EASY "\r\n0\r\n\r\n", 400, LIBRARY, CLOSES),
        POST("a chunk size below zero", "Transfer-Encoding: chunked\r\n",
             "-1\r\n" EASY "\r\n0\r\n\r\n", 400, LIBRARY, CLOSES),
        POST("no chunk size", "Transfer-Encoding: chunked\r\n", "\r\n" EASY "\r\n0\r\n\r\n", 400,
             LIBRARY, CLOSES),
        POST("a chunk with more than its size", "Transfer-Encoding: chunked\r\n",
             "50\r\n" EASY "\r\n0\r\n\r\n", 400, LIBRARY, CLOSES),
        /* Tolerated by the library; nothing behind is served. */
        POST("chunks that end with LF alone", "Transfer-Encoding: chunked\r\n",
             "51\n" EASY "\n0\n\n", 200, EASY_SOLVED, CLOSES),
        POST("a chunk extension", "Transfer-Encoding: chunked\r\n",
             "51;a=\"b\"\r\n" EASY "\r\n0\r\n\r\n", 200, EASY_SOLVED, CLOSES),
        POST("trailers", "Transfer-Encoding: chunked\r\n",
             "51\r\n" EASY "\r\n0\r\nA: b\r\nHost: y\r\nContent-Length: 9\r\n\r\n", 200,
             EASY_SOLVED, CLOSES),
        POST("a body that is longer than announced", "Content-Length: 81\r\n", EASY "5\r\n\r\n",
             200, EASY_SOLVED, CLOSES),
        ROW("a body of a GET", "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
            200, ALIVE, STAYS),
    };

    TRY(rows);
}
END_TEST

#define HEAD_OF_POST "POST /solve HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"

/* A request with a part that is repeated. */
START_TEST(large_heads)
{
    const struct {
        const char *name, *first, *again;
        unsigned times;
        const char *last;
        unsigned status;
        const char *says;
        enum then then;
    } rows[] = {
        {"a header of 100 kB", "GET /livez HTTP/1.1\r\nHost: x\r\nA: ", "0123456789", 10000,
         "\r\n\r\n", 431, LIBRARY, CLOSES},
        {"a header of 7 kB", "GET /livez HTTP/1.1\r\nHost: x\r\nA: ", "0123456789", 700, "\r\n\r\n",
         200, ALIVE, STAYS},
        {"10,000 headers", "GET /livez HTTP/1.1\r\nHost: x\r\n", "A: b\r\n", 10000, "\r\n", 431,
         LIBRARY, CLOSES},
        {"a header of 11 kB", "GET /livez HTTP/1.1\r\nHost: x\r\nA: ", "0123456789", 1100,
         "\r\n\r\n", 431, "/problems/head-too-large", CLOSES},
        {"a cookie of 5.5 kB", "GET /livez HTTP/1.1\r\nHost: x\r\nCookie: ", "0123456789", 550,
         "\r\n\r\n", 431, "/problems/head-too-large", CLOSES},
        {"a cookie of 5 kB", "GET /livez HTTP/1.1\r\nHost: x\r\nCookie: ", "0123456789", 500,
         "\r\n\r\n", 200, ALIVE, STAYS},
        {"1,200 cookies", "GET /livez HTTP/1.1\r\nHost: x\r\nCookie: ", "a;", 1200, "\r\n\r\n", 0,
         "", CLOSES},
        {"100 headers", "GET /livez HTTP/1.1\r\nHost: x\r\n", "A: b\r\n", 100, "\r\n", 200, ALIVE,
         STAYS},
        {"a target of 64 kB", "GET /", "0123456789abcdef", 4096, " HTTP/1.1\r\nHost: x\r\n\r\n",
         414, LIBRARY, CLOSES},
        {"a target of 8,001 bytes", "GET /", "12345678", 1000, " HTTP/1.1\r\nHost: x\r\n\r\n", 414,
         "/problems/uri-too-long", CLOSES},
        {"a target of 10 kB with arguments", "GET /livez?", "&0123456789abcd=0123456789abcd", 330,
         " HTTP/1.1\r\nHost: x\r\n\r\n", 414, "/problems/uri-too-long", CLOSES},
        {"a target of 14 kB with arguments", "GET /livez?", "&0123456789abcd=0123456789abcd", 470,
         " HTTP/1.1\r\nHost: x\r\n\r\n", 414, LIBRARY, CLOSES},
        {"a target of 7,993 bytes", "GET /", "12345678", 999, " HTTP/1.1\r\nHost: x\r\n\r\n", 404,
         "not-found", STAYS},
        {"1,001 arguments", "GET /livez?a", "&a", 1000, " HTTP/1.1\r\nHost: x\r\n\r\n", 414,
         "/problems/uri-too-long", CLOSES},
        {"65 arguments", "GET /livez?a", "&a=b", 64, " HTTP/1.1\r\nHost: x\r\n\r\n", 414,
         "/problems/uri-too-long", CLOSES},
        {"64 arguments", "GET /livez?a", "&a=b", 63, " HTTP/1.1\r\nHost: x\r\n\r\n", 200, ALIVE,
         STAYS},
        {"a trailer of 20 kB", HEAD_OF_POST "Transfer-Encoding: chunked\r\n\r\n0\r\nA: ",
         "0123456789", 2000, "\r\n\r\n", 431, LIBRARY, CLOSES},
        {"2,000 trailers", HEAD_OF_POST "Transfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n", 2000,
         "\r\n", 431, LIBRARY, CLOSES},
        {"1,000 empty lines before", "", "\r\n", 1000, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
         200, ALIVE, STAYS},
    };
    struct server *server = client_start_server(NULL);
    unsigned wrong = 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].again);
        char *bytes =
            malloc(strlen(rows[i].first) + size * rows[i].times + strlen(rows[i].last) + 1);
        ck_assert_ptr_nonnull(bytes);
        char *end = bytes + sprintf(bytes, "%s", rows[i].first);
        for (unsigned k = 0; k < rows[i].times; k++, end += size)
            memcpy(end, rows[i].again, size);
        end += sprintf(end, "%s", rows[i].last);
        const struct row row = {rows[i].name,   bytes,        (size_t)(end - bytes),
                                rows[i].status, rows[i].says, rows[i].then};
        wrong += !try_row(server, &row);
        free(bytes);
    }
    ck_assert_uint_eq(wrong, 0);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Near the end of the library's memory too, where it has no room for the answer. The answer is one
 * of the longest. */
START_TEST(a_head_of_any_size_is_answered)
{
    static const struct {
        const char *first, *again;
        size_t least, most; /* bytes */
    } rows[] = {
        {"A: ", "b", 10600, 12400},
        {"Cookie: a=", "b", 5200, 6200},
        {"Cookie: ", "a=b;", 500, 800},
        {"", "A: b\r\n", 800, 1200},
    };
    struct server *server = client_start_server(NULL);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t step = strlen(rows[i].again) == 1 ? 17 : strlen(rows[i].again);
        unsigned last = 415;
        for (size_t size = rows[i].least; size < rows[i].most; size += step) {
            char text[13000];
            size_t length;
            char *end = text + sprintf(text,
                                       "POST /solve?max_steps=7 HTTP/1.1\r\nHost: x\r\n"
                                       "Content-Length: 0\r\nContent-Type: a/b\r\n"
                                       "X-Request-Id: 0123456789012345678901234567890123456789"
                                       "\r\nConnection: close\r\n%s",
                                       rows[i].first);
            for (size_t at = 0; at < size; at += strlen(rows[i].again))
                end += sprintf(end, "%s", rows[i].again);
            end += sprintf(end, "%s\r\n", end[-1] == '\n' ? "" : "\r\n");
            const int fd = client_connect(server);
            send_some(fd, text, (size_t)(end - text));
            char *answer = read_all(fd, &length);
            const unsigned status = status_of(answer);
            ck_assert_msg(status == last || (last == 415 && status == 431), "%zu, %zu: %u after %u",
                          i, size, status, last);
            last = status;
            free(answer);
        }
        ck_assert_uint_eq(last, 431);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

static void send_text(int fd, const char *text)
{
    send_some(fd, text, strlen(text));
}

START_TEST(a_body_that_is_waited_for_is_asked_for_unless_it_would_be_refused)
{
    const struct {
        const char *head;
        unsigned status; /* of the answer to the head */
    } rows[] = {
        {HEAD_OF_POST "Expect: 100-continue\r\nContent-Length: 81\r\n\r\n", 100},
        {HEAD_OF_POST "Expect: 100-Continue\r\nTransfer-Encoding: chunked\r\n\r\n", 100},
        {HEAD_OF_POST "Expect: 100-continue\r\nContent-Length: 2049\r\n\r\n", 413},
        {HEAD_OF_POST "Expect: 100-continue\r\nContent-Length: 81\r\nContent-Length: 80\r\n\r\n",
         400},
        {HEAD_OF_POST "Expect: 200-ok\r\nContent-Length: 81\r\n\r\n", 417},
        {"POST /sovle HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 81\r\n\r\n",
         404},
    };
    char *flags[] = {"--max-body=2k", NULL};
    struct server *server = client_start_server(flags);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int fd = client_connect(server);
        char start[13] = "";
        size_t length;
        send_text(fd, rows[i].head);
        ck_assert_int_eq(recv(fd, start, sizeof start - 1, MSG_WAITALL), sizeof start - 1);
        ck_assert_uint_eq(status_of(start), rows[i].status);
        if (rows[i].status == 100)
            send_text(fd, i == 0 ? EASY : "51\r\n" EASY "\r\n0\r\n\r\n");
        ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
        char *rest = read_all(fd, &length);
        ck_assert_ptr_nonnull(strstr(rest, rows[i].status == 100 ? EASY_SOLVED : "/problems/"));
        free(rest);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_hundred_requests_at_once_are_answered_in_order)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    char all[100 * 64];
    size_t length = 0;

    for (unsigned i = 0; i < 100; i++)
        length += (size_t)sprintf(all + length,
                                  "GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: n%u\r\n\r\n", i);
    send_some(fd, all, length);
    for (unsigned i = 0; i < 100; i++) {
        struct client_reply reply;
        char id[8];
        ck_assert(client_read_reply(fd, true, &reply));
        ck_assert_uint_eq(reply.status, 200);
        sprintf(id, "n%u", i);
        ck_assert_str_eq(client_header(&reply, "X-Request-Id"), id);
        client_reply_clear(&reply);
    }
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_client_that_closes_its_side_behind_a_request_is_answered)
{
    struct server *server = client_start_server(NULL);
    const int fd = client_connect(server);
    size_t length;

    send_text(fd, HEAD_OF_POST "Content-Length: 81\r\n\r\n" EASY);
    ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
    char *answer = read_all(fd, &length);
    ck_assert_uint_eq(status_of(answer), 200);
    ck_assert_ptr_nonnull(strstr(answer, EASY_SOLVED));
    free(answer);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Each way of leaving, many times; afterwards all is as before. */
START_TEST(clients_that_leave_do_no_harm)
{
    static const char slow[] =
        "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":10000000}";
    static const char *const starts[] = {
        "",
        "G",
        "GET /livez HTTP/1.1\r\nHos",
        HEAD_OF_POST "Content-Length: 81\r\n\r\n",
        HEAD_OF_POST "Content-Length: 81\r\n\r\n12345",
        HEAD_OF_POST "Transfer-Encoding: chunked\r\n\r\n51\r\n123",
        HEAD_OF_POST "Transfer-Encoding: chunked\r\n\r\n51\r\n" EASY "\r\n0\r\nA: ",
        NULL, /* a search */
    };
    char *flags[] = {"--workers=1", NULL};
    struct server *server = client_start_server(flags);
    const struct linger reset = {.l_onoff = 1};

    for (size_t i = 0; i < sizeof starts / sizeof starts[0] * 20; i++) {
        const char *start = starts[i % (sizeof starts / sizeof starts[0])];
        const int fd = client_connect(server);
        if (start != NULL)
            send_text(fd, start);
        else
            client_send(fd, "POST", "/solve", CLIENT_JSON, slow);
        if (i % 3 == 0)
            ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
        if (i % 3 == 1)
            ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
        close(fd);
    }
    struct client_reply reply = client_ask(server, "POST", "/solve", CLIENT_TEXT, EASY);
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(reply.body, EASY_SOLVED "\n");
    client_reply_clear(&reply);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Sends the start, then drops until there is an answer or an end, which it returns. */
static char *trickle(const struct server *server, const char *start, const char *drop)
{
    enum { PAUSE_US = 5000, DROPS = 12000 };
    const int fd = client_connect(server);
    char byte;
    unsigned drops = 0;
    size_t length;

    send_text(fd, start);
    while (recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && drops++ < DROPS) {
        send_text(fd, drop);
        usleep(PAUSE_US);
    }
    ck_assert_uint_lt(drops, DROPS);
    char *answer = read_all(fd, &length);
    return answer;
}

START_TEST(a_request_that_trickles_in_is_ended_in_good_time)
{
    const struct {
        const char *start, *drop, *says;
    } rows[] = {
        {"", "G", "head"},
        {"GET /", "x", "head"},
        {"GET /livez HTTP/1.1\r\nHost: x\r\nA: ", "x", "head"},
        {"GET /livez HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\n", "A: b\r\n", "head"},
        {HEAD_OF_POST "X-Request-Id: slow\r\nContent-Length: 100000\r\n\r\n", ".", "body"},
        {HEAD_OF_POST "X-Request-Id: slow\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n.\r\n",
         "body"},
        {HEAD_OF_POST "X-Request-Id: slow\r\nTransfer-Encoding: chunked\r\n\r\n1;", "x", "body"},
        {HEAD_OF_POST "X-Request-Id: slow\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: ", "b",
         "body"},
        {HEAD_OF_POST "X-Request-Id: slow\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n", "",
         "body"},
    };
    char *flags[] = {"--head-timeout=1s", "--body-timeout=1s", NULL};
    struct server *server = client_start_server(flags);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[64];
        char *answer = trickle(server, rows[i].start, rows[i].drop);
        const char *late = strstr(answer, "HTTP/1.1 408 Request Timeout\r\n");
        sprintf(expected, "The %s of a request must be here within 1000 ms.", rows[i].says);
        ck_assert_msg(late != NULL, "%zu: %s", i, answer);
        ck_assert_msg(strstr(late, "/problems/upload-too-slow") != NULL, "%zu: %s", i, answer);
        ck_assert_msg(strstr(late, expected) != NULL, "%zu: %s", i, answer);
        if (rows[i].says[0] == 'b')
            ck_assert_msg(strstr(late, "\"instance\":\"slow\"") != NULL, "%zu: %s", i, answer);
        free(answer);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

/* A body shorter than announced, and nothing more: the client waits, and so does the server, for
 * the time of a body. A connection that was never used is closed without a word. */
START_TEST(a_client_that_falls_silent_is_ended_too)
{
    char *flags[] = {"--head-timeout=200ms", "--body-timeout=200ms", NULL};
    struct server *server = client_start_server(flags);
    size_t length;
    int fd = client_connect(server);

    send_text(fd, HEAD_OF_POST "Content-Length: 82\r\n\r\n" EASY);
    char *answer = read_all(fd, &length);
    ck_assert_uint_eq(status_of(answer), 408);
    free(answer);

    fd = client_connect(server);
    answer = read_all(fd, &length);
    ck_assert_str_eq(answer, "");
    free(answer);
    server_stop(server, NULL, NULL);
}
END_TEST

/* The library loses its way in a query with more arguments than its memory holds, and where a NUL
 * hides the query nobody can help it: it neither answers nor closes. */
START_TEST(a_request_that_the_library_gets_stuck_in_is_ended_too)
{
    char *flags[] = {"--head-timeout=200ms", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    size_t length;

    client_send_bytes(fd, "GET /\0?", 7);
    for (unsigned i = 0; i < 1000; i++)
        send_text(fd, "&a");
    send_text(fd, " HTTP/1.1\r\nHost: x\r\n\r\n");
    send_text(fd, probe);
    char *answer = read_all(fd, &length);
    ck_assert_ptr_null(strstr(answer, "smuggled-in"));
    free(answer);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Neither silence between requests nor a long search is slowness. */
START_TEST(who_only_waits_is_not_taken_for_slow)
{
    enum { MANY = 12 };
    char *flags[] = {"--head-timeout=1s", "--body-timeout=1s", "--answer-timeout=1s",
                     "--deadline=3500ms", "--workers=1",       NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    struct client_reply reply;
    int slow[MANY];

    for (unsigned i = 0; i < 2; i++) {
        client_send(fd, "GET", "/livez", "", NULL);
        client_expect(fd, 200, NULL);
        usleep(2500000);
    }
    /* So many take turns that each takes longer than any of these times. */
    for (size_t i = 0; i < MANY; i++) {
        slow[i] = client_connect(server);
        client_send(slow[i], "POST", "/solve", CLIENT_JSON,
                    "{\"puzzle\":\"" EMPTY "\",\"max_solutions\":1000000,\"max_steps\":2000000}");
    }
    for (size_t i = 0; i < MANY; i++) {
        ck_assert_msg(client_read_reply(slow[i], true, &reply), "search %zu was cut", i);
        ck_assert(reply.status == 200 || reply.status == 503);
        client_reply_clear(&reply);
        close(slow[i]);
    }
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(a_request_byte_by_byte_is_served)
{
    struct server *server = client_start_server(NULL);
    const char request[] = HEAD_OF_POST "Content-Length: 81\r\n\r\n" EASY;
    const int yes = 1;
    const int fd = client_connect(server);
    struct client_reply reply;

    ck_assert_int_eq(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes), 0);
    for (size_t i = 0; i < sizeof request - 1; i++) {
        client_send_bytes(fd, request + i, 1);
        usleep(1000);
    }
    ck_assert(client_read_reply(fd, true, &reply));
    ck_assert_str_eq(reply.body, EASY_SOLVED "\n");
    client_reply_clear(&reply);
    close(fd);
    server_stop(server, NULL, NULL);
}
END_TEST

/* More answers than all the buffers between hold. */
START_TEST(a_client_that_does_not_read_its_answers_is_ended)
{
    enum { REQUESTS = 4000 };
    char *flags[] = {"--answer-timeout=200ms", NULL};
    struct server *server = client_start_server(flags);
    const int fd = client_connect(server);
    const char request[] = "GET /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n";
    unsigned sent = 0;
    size_t length;

    while (sent < REQUESTS && send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0)
        sent++;
    char byte;
    while (send(fd, "\r\n", 2, MSG_NOSIGNAL | MSG_DONTWAIT) > 0 || errno == EAGAIN)
        usleep(10000);
    ck_assert_int_eq(recv(fd, &byte, 1, MSG_PEEK), 1);
    char *answers = read_all(fd, &length);
    ck_assert_uint_lt(length, (size_t)REQUESTS * 20000);
    free(answers);
    server_stop(server, NULL, NULL);
}
END_TEST

/* The client reads its 413 whether it sends on or not. */
START_TEST(a_body_that_is_too_large_is_answered_announced_or_not)
{
    enum { PIECE = 1024, PIECES = 10000 };
    static const char *const headers[] = {"Content-Length: 10240000\r\n\r\n",
                                          "Transfer-Encoding: chunked\r\n\r\n"};
    char *flags[] = {"--max-body=2k", NULL};
    struct server *server = client_start_server(flags);
    char piece[PIECE + 16];

    for (unsigned i = 0; i < 40; i++) {
        const bool is_chunked = i % 2 == 1;
        const int fd = client_connect(server);
        size_t length = is_chunked ? (size_t)sprintf(piece, "400\r\n") : 0;
        memset(piece + length, '.', PIECE);
        length += PIECE;
        length += (size_t)sprintf(piece + length, "%s", is_chunked ? "\r\n" : "");
        send_text(fd, HEAD_OF_POST);
        send_text(fd, headers[i % 2]);
        for (unsigned k = 0; k < PIECES && send(fd, piece, length, MSG_NOSIGNAL) > 0; k++)
            continue;
        char *answer = read_all(fd, &length);
        ck_assert_msg(status_of(answer) == 413, "%u: %s", i, answer);
        ck_assert_ptr_nonnull(strstr(answer, "A body may have at most 2048 bytes."));
        free(answer);
    }
    server_stop(server, NULL, NULL);
}
END_TEST

START_TEST(connections_of_one_address_are_limited)
{
    char *flags[] = {"--max-connections-per-address=2", NULL};
    struct server *server = client_start_server(flags);
    int fds[2];
    struct client_reply reply;

    for (size_t i = 0; i < 2; i++) {
        fds[i] = client_connect(server);
        client_send(fds[i], "GET", "/livez", "", NULL);
        ck_assert(client_read_reply(fds[i], true, &reply));
        client_reply_clear(&reply);
    }
    int third = client_connect(server);
    ck_assert(!client_read_reply(third, true, &reply));
    close(third);
    close(fds[0]);
    for (bool is_served = false; !is_served;) {
        third = client_connect(server);
        send_text(third, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        is_served = client_read_reply(third, true, &reply);
        client_reply_clear(&reply);
        close(third);
    }
    close(fds[1]);
    server_stop(server, NULL, NULL);
}
END_TEST

/* Connections come and go while the reaper ends some of them: for the sanitizers. */
START_TEST(slow_and_quick_clients_do_not_mix_up)
{
    enum { ROUNDS = 30, CLIENTS = 20 };
    char *flags[] = {"--body-timeout=100ms", "--threads=4", NULL};
    struct server *server = client_start_server(flags);

    for (unsigned round = 0; round < ROUNDS; round++) {
        int slow[CLIENTS];
        for (unsigned i = 0; i < CLIENTS; i++) {
            slow[i] = client_connect(server);
            send_text(slow[i], HEAD_OF_POST "Content-Length: 81\r\n\r\n5");
        }
        for (unsigned i = 0; i < CLIENTS; i++)
            ck_assert_uint_eq(client_status(server, "GET", "/livez", "", NULL), 200);
        usleep(round * 7000);
        /* Those that are not ended yet are answered; nobody gets anything else. */
        for (unsigned i = 0; i < CLIENTS; i++) {
            size_t length;
            send_text(slow[i], &EASY[1]);
            send_text(slow[i], probe);
            char *answer = read_all(slow[i], &length);
            const unsigned status = status_of(answer);
            ck_assert_msg(status == 408 || strstr(answer, EASY_SOLVED) != NULL, "%s", answer);
            ck_assert((status == 200) == (strstr(answer, "smuggled-in") != NULL));
            free(answer);
        }
    }
    server_stop(server, NULL, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_request_line,
        the_headers,
        the_framing,
        large_heads,
        a_head_of_any_size_is_answered,
        a_body_that_is_waited_for_is_asked_for_unless_it_would_be_refused,
        a_hundred_requests_at_once_are_answered_in_order,
        a_client_that_closes_its_side_behind_a_request_is_answered,
        clients_that_leave_do_no_harm,
        a_request_that_trickles_in_is_ended_in_good_time,
        a_client_that_falls_silent_is_ended_too,
        a_request_that_the_library_gets_stuck_in_is_ended_too,
        who_only_waits_is_not_taken_for_slow,
        a_request_byte_by_byte_is_served,
        a_client_that_does_not_read_its_answers_is_ended,
        a_body_that_is_too_large_is_answered_announced_or_not,
        connections_of_one_address_are_limited,
        slow_and_quick_clients_do_not_mix_up,
    };

    return puzzles_run_suite("guard", tests, sizeof tests / sizeof tests[0]);
}
