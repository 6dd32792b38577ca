/* Parse, start, wait for a signal, stop. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "healthcheck.h"
#include "sandbox.h"
#include "server.h"
#include "systemd.h"

enum exit_code {
    EXIT_OK = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
};

/* Well below what starts a container anew for want of an answer. */
enum { HEALTHCHECK_TIMEOUT_MS = 2000 };

/* Where stdin, stdout or stderr are closed, gives their numbers to /dev/null: a socket that got
 * that of stderr would be sent the log. */
static void reserve_standard_files(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

/* Waits. True: a signal came, so somebody is impatient. */
static bool wait_for_signal(unsigned ms, void *signals)
{
    const struct timespec delay = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

    return sigtimedwait(signals, NULL, &delay) > 0;
}

/* A second signal ends the drain delay, a further one the searches. */
static void stop_on_signal(struct server *server, sigset_t *signals, uint64_t drain_delay_ms,
                           int systemd)
{
    int signal;

    while (sigwait(signals, &signal) != 0)
        continue;
    systemd_notify(systemd, "STOPPING=1");
    server_drain(server);
    if (signal == SIGTERM)
        (void)wait_for_signal((unsigned)drain_delay_ms, signals);
    server_stop(server, wait_for_signal, signals);
}

static void complain(char error[CONFIG_MAX_ERROR])
{
    config_keep_one_line(error);
    fprintf(stderr, "sudokud: %s\n", error);
}

static bool is_healthy(const struct config *config)
{
    char error[CONFIG_MAX_ERROR];

    if (healthcheck(config->host, (unsigned)config->port, HEALTHCHECK_TIMEOUT_MS, error,
                    sizeof error))
        return true;
    complain(error);
    return false;
}

int main(int argc, char *argv[])
{
    struct config config;
    char error[CONFIG_MAX_ERROR];
    sigset_t signals;

    reserve_standard_files();
    switch (config_load(argc, argv, &config, error)) {
    case CONFIG_OK:
        break;
    case CONFIG_HELP:
        config_print_help(stdout);
        return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
    case CONFIG_VERSION:
        printf("sudokud %s\n", SUDOKUD_VERSION);
        return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
    case CONFIG_HEALTHCHECK:
        return is_healthy(&config) ? EXIT_OK : EXIT_FAILED;
    case CONFIG_BAD:
        complain(error);
        return EXIT_USAGE;
    }

    /* Before any thread is made, so that all inherit it: only sigwait sees these. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    (void)signal(SIGPIPE, SIG_IGN);

    struct server *server = server_start(&config, error, sizeof error);
    if (server == NULL) {
        complain(error);
        return EXIT_FAILED;
    }
    const int systemd = systemd_open();
    systemd_notify(systemd, "READY=1");
    /* The server's threads are already. */
    if (config.sandbox)
        (void)sandbox_enter(SANDBOX_NO_FOLDER);
    stop_on_signal(server, &signals, config.drain_delay_ms, systemd);
    return EXIT_OK;
}
