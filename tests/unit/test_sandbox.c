/* What a thread that is confined can do no more, and what it still can. The attempts are made on a
 * thread of their own, since the test's own has to tell of them. */
#include "server/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

/* ---- Attempts: negative, with errno set, when refused ---- */

static int is_open(int fd)
{
    if (fd >= 0)
        close(fd);
    return fd;
}

/* What is not to be reached; set before, as even asking who it is is refused. */
static pid_t parent;
static int listener = -1;

static int read_a_file(void)
{
    return is_open(open("/etc/passwd", O_RDONLY));
}

static int read_another_process(void)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/status", (int)parent);
    return is_open(open(path, O_RDONLY));
}

static int read_through_the_root(void)
{
    return is_open(open("/proc/self/root/etc/passwd", O_RDONLY));
}

static int write_a_file(void)
{
    return is_open(open("/tmp", O_WRONLY | O_TMPFILE, 0600));
}

static int write_own_memory(void)
{
    return is_open(open("/proc/self/mem", O_RDWR));
}

static int make_a_folder(void)
{
    return mkdir("/tmp/sandbox-test", 0700);
}

static int delete_a_file(void)
{
    return unlink("/tmp/sandbox-test");
}

static int rename_a_file(void)
{
    return rename("/tmp/sandbox-test", "/tmp/sandbox-test-2");
}

static int start_a_program(void)
{
    char *const arguments[] = {"true", NULL};

    return execv("/bin/true", arguments);
}

static int start_a_process(void)
{
    const pid_t child = fork();

    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    return child;
}

static int make_a_socket(void)
{
    return is_open(socket(AF_INET, SOCK_STREAM, 0));
}

static int make_a_local_socket(void)
{
    return is_open(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int listen_elsewhere(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET};

    return bind(listener, (const struct sockaddr *)&address, sizeof address);
}

static int connect_to_somebody(void)
{
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(1)};

    return connect(listener, (const struct sockaddr *)&address, sizeof address);
}

static int look_into_the_parent(void)
{
    return (int)ptrace(PTRACE_ATTACH, parent, NULL, NULL);
}

static int read_memory_of_the_parent(void)
{
    char byte;
    const struct iovec here = {&byte, 1};
    const struct iovec there = {&byte, 1};

    return (int)process_vm_readv(parent, &here, 1, &there, 1, 0);
}

static int end_the_parent(void)
{
    return kill(parent, 0);
}

static int end_the_parent_s_thread(void)
{
    return (int)syscall(SYS_tgkill, parent, parent, 0);
}

static int as_mapped(void *memory)
{
    return memory == MAP_FAILED ? -1 : munmap(memory, 4096);
}

static int map_code(void)
{
    return as_mapped(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static int make_code_of_data(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int result = mprotect(memory, 4096, PROT_READ | PROT_EXEC);
    const int reason = errno;

    munmap(memory, 4096);
    errno = reason;
    return result;
}

static int raise_a_limit(void)
{
    const struct rlimit limit = {.rlim_cur = 10, .rlim_max = RLIM_INFINITY};

    return setrlimit(RLIMIT_CORE, &limit);
}

/* Calls that this service has no use for at all; with arguments that would do no harm. */
#define CALL(name, ...)                                                                            \
    static int call_##name(void)                                                                   \
    {                                                                                              \
        return (int)syscall(SYS_##name, __VA_ARGS__);                                              \
    }
CALL(bpf, 0, NULL, 0)
CALL(chroot, "/")
CALL(io_uring_setup, 0, NULL)
CALL(keyctl, 0, 0, 0, 0, 0)
CALL(memfd_create, "name", 0)
CALL(mount, NULL, NULL, NULL, 0, NULL)
CALL(perf_event_open, NULL, 0, 0, -1, 0)
CALL(personality, 0xffffffff)
CALL(setns, -1, 0)
CALL(setuid, 65534)
CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, NULL)
CALL(unshare, 0)
CALL(userfaultfd, 0)

typedef int attempt_function(void);

/* Refused by which part. */
static const struct {
    const char *name;
    attempt_function *attempt;
    unsigned part;
} refused[] = {
#define REFUSED(part, name)                                                                        \
    {                                                                                              \
#name, name, part                                                                          \
    }
    REFUSED(SANDBOX_FILES, read_a_file),
    REFUSED(SANDBOX_FILES, read_another_process),
    REFUSED(SANDBOX_FILES, read_through_the_root),
    REFUSED(SANDBOX_FILES, write_a_file),
    REFUSED(SANDBOX_FILES, write_own_memory),
    REFUSED(SANDBOX_FILES, make_a_folder),
    REFUSED(SANDBOX_CALLS, delete_a_file),
    REFUSED(SANDBOX_CALLS, rename_a_file),
    REFUSED(SANDBOX_CALLS, start_a_program),
    REFUSED(SANDBOX_CALLS, start_a_process),
    REFUSED(SANDBOX_CALLS, make_a_socket),
    REFUSED(SANDBOX_CALLS, make_a_local_socket),
    REFUSED(SANDBOX_CALLS, listen_elsewhere),
    REFUSED(SANDBOX_CALLS, connect_to_somebody),
    REFUSED(SANDBOX_CALLS, look_into_the_parent),
    REFUSED(SANDBOX_CALLS, read_memory_of_the_parent),
    REFUSED(SANDBOX_CALLS, end_the_parent),
    REFUSED(SANDBOX_CALLS, end_the_parent_s_thread),
    REFUSED(SANDBOX_CALLS, map_code),
    REFUSED(SANDBOX_CALLS, make_code_of_data),
    REFUSED(SANDBOX_CALLS, raise_a_limit),
    REFUSED(SANDBOX_CALLS, call_bpf),
    REFUSED(SANDBOX_CALLS, call_chroot),
    REFUSED(SANDBOX_CALLS, call_io_uring_setup),
    REFUSED(SANDBOX_CALLS, call_keyctl),
    REFUSED(SANDBOX_CALLS, call_memfd_create),
    REFUSED(SANDBOX_CALLS, call_mount),
    REFUSED(SANDBOX_CALLS, call_perf_event_open),
    REFUSED(SANDBOX_CALLS, call_personality),
    REFUSED(SANDBOX_CALLS, call_setns),
    REFUSED(SANDBOX_CALLS, call_setuid),
    REFUSED(SANDBOX_CALLS, call_socketpair),
    REFUSED(SANDBOX_CALLS, call_unshare),
    REFUSED(SANDBOX_CALLS, call_userfaultfd),
};

/* ---- On a confined thread ---- */

struct confined {
    int folder;
    unsigned needed; /* the parts without which it is not tried: it might work */
    attempt_function *attempt;
    unsigned parts;
    int result;
    int reason;
};

static void *run(void *argument)
{
    struct confined *confined = argument;

    confined->parts = sandbox_enter(confined->folder);
    if ((confined->parts & confined->needed) != confined->needed)
        return NULL;
    errno = 0;
    confined->result = confined->attempt();
    confined->reason = errno;
    return NULL;
}

static struct confined try(int folder, unsigned needed, attempt_function *attempt)
{
    struct confined confined = {.folder = folder, .needed = needed, .attempt = attempt};
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, run, &confined), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    return confined;
}

static int open_self(void)
{
    return open("/proc/self", O_PATH | O_DIRECTORY);
}

/* Said by the sandbox, and not by the kernel for want of rights or sense. */
static bool is_of_sandbox(int reason)
{
    return reason == ENOSYS || reason == EPERM || reason == EACCES;
}

START_TEST(it_cannot_be_done)
{
    parent = getppid();
    listener = socket(AF_INET, SOCK_STREAM, 0);
    for (int with_folder = 0; with_folder <= 1; with_folder++) {
        const struct confined got = try(with_folder ? open_self() : SANDBOX_NO_FOLDER,
                                        refused[_i].part, refused[_i].attempt);
        if ((got.parts & refused[_i].part) == 0) {
            printf("left out, as this kernel has not that part: %s\n", refused[_i].name);
            continue;
        }
        ck_assert_msg(got.result < 0, "%s works", refused[_i].name);
        ck_assert_msg(is_of_sandbox(got.reason), "%s: %s", refused[_i].name, strerror(got.reason));
    }
}
END_TEST

/* ---- What is left ---- */

static int read_of_itself(void)
{
    char text[64];
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text);

    is_open(fd);
    return got > 0 ? 0 : -1;
}

START_TEST(a_folder_may_stay_readable)
{
    ck_assert_int_eq(try(open_self(), 0, read_of_itself).result, 0);
}
END_TEST

static void *do_nothing(void *argument)
{
    return argument;
}

static int do_what_a_server_does(void)
{
    struct rlimit limit;
    struct timespec now;
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    pthread_t thread;
    void *large = malloc(64 << 20);
    void *small = malloc(100);

    if (large == NULL || small == NULL)
        return -1;
    memset(large, 1, 64 << 20);
    large = realloc(large, 128 << 20);
    free(large);
    free(small);
    const int threads = pthread_create(&thread, NULL, do_nothing, NULL);
    if (threads == 0)
        pthread_join(thread, NULL);
    return threads != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0 ||
                   getrlimit(RLIMIT_NOFILE, &limit) != 0 || poll(&waiting, 1, 0) < 0 ||
                   setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + 1) != 0 ||
                   nanosleep(&(struct timespec){.tv_nsec = 1}, NULL) != 0 ||
                   syscall(SYS_tgkill, getpid(), gettid(), 0) != 0
               ? -1
               : 0;
}

START_TEST(what_a_server_does_still_can_be)
{
    listener = socket(AF_INET, SOCK_STREAM, 0);
    const struct confined got = try(SANDBOX_NO_FOLDER, 0, do_what_a_server_does);

    ck_assert_msg(got.result == 0, "%s", strerror(got.reason));
}
END_TEST

/* ---- Who is confined ---- */

static attempt_function *of_descendant;

static void *run_attempt(void *argument)
{
    *(int *)argument = of_descendant();
    return NULL;
}

static int try_in_another_thread(void)
{
    pthread_t thread;
    int result = 0;

    if (pthread_create(&thread, NULL, run_attempt, &result) != 0)
        return 0;
    pthread_join(thread, NULL);
    return result;
}

START_TEST(threads_made_by_a_confined_one_are_confined_and_no_others)
{
    of_descendant = make_a_socket;
    const struct confined got = try(SANDBOX_NO_FOLDER, 0, try_in_another_thread);

    if (got.parts & SANDBOX_CALLS)
        ck_assert_int_lt(got.result, 0);
    ck_assert_int_ge(make_a_socket(), 0);
    ck_assert_int_ge(read_a_file(), 0);
}
END_TEST

int main(void)
{
    TCase *tests;
    Suite *suite = suite_of("sandbox", &tests);

    tcase_add_loop_test(tests, it_cannot_be_done, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(tests, a_folder_may_stay_readable);
    tcase_add_test(tests, what_a_server_does_still_can_be);
    tcase_add_test(tests, threads_made_by_a_confined_one_are_confined_and_no_others);
    return run_suite(suite);
}
