/* The lists of what is allowed; everything else is answered ENOSYS, not EPERM or the end of the
 * process: a C library that is newer than these lists tries a new call, and falls back to the old
 * one where the kernel does not have it. */
#include "sandbox.h"

/* The runtimes of sanitizers open files and look at their own process with calls of all kinds. */
#ifdef SANDBOX_IS_OFF

unsigned sandbox_enter(int folder)
{
    (void)folder;
    return 0;
}

#else

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- Files ---- */

/* All that there is to handle in each version of Landlock, so that none of it is allowed: version 1
 * had 13 rights, version 2 one more, and so on; since version 5 there are 16. */
static uint64_t all_rights(long version)
{
    const unsigned rights = version == 1 ? 13 : version == 2 ? 14 : version < 5 ? 15 : 16;

    return (UINT64_C(1) << rights) - 1;
}

static bool allow_reading(int ruleset, int folder)
{
    const struct landlock_path_beneath_attr below = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = folder,
    };

    return syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
}

static bool confine_files(int folder)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version < 1)
        return false;
    /* Its first member alone: kernels that know of more take the rest to be 0. */
    const struct landlock_ruleset_attr handled = {.handled_access_fs = all_rights(version)};
    const int ruleset =
        (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0);
    if (ruleset < 0)
        return false;
    const bool is_done = (folder == SANDBOX_NO_FOLDER || allow_reading(ruleset, folder)) &&
                         syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return is_done;
}

/* ---- Calls ---- */

#if defined __x86_64__
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCHITECTURE

/* Allowed whatever their arguments. Where the kernel does not remember what is always allowed
 * (before 5.11) it goes through these at each call, so those of a request come first. */
static const long plain_calls[] = {
    SYS_recvfrom, SYS_sendmsg, SYS_epoll_pwait, SYS_futex, SYS_sendto, SYS_accept4, SYS_read,
    SYS_write,
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
    /* connections */
    SYS_accept, SYS_close, SYS_fcntl, SYS_getpeername, SYS_getsockname, SYS_getsockopt, SYS_readv,
    SYS_recvmsg, SYS_setsockopt, SYS_shutdown, SYS_writev,
    /* waiting, waking */
    SYS_epoll_create1, SYS_epoll_ctl, SYS_eventfd2, SYS_pipe2, SYS_ppoll, SYS_pselect6,
#ifdef SYS_poll
    SYS_poll, SYS_select,
#endif
    /* time */
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_gettimeofday, SYS_nanosleep,
    /* memory */
    SYS_brk, SYS_madvise, SYS_mremap, SYS_munmap,
    /* threads */
    SYS_exit, SYS_getcpu, SYS_getpid, SYS_getpriority, SYS_gettid, SYS_membarrier,
    SYS_sched_getaffinity, SYS_sched_yield, SYS_set_robust_list, SYS_setpriority,
    SYS_set_tid_address,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    /* signals, the end */
    SYS_exit_group, SYS_restart_syscall, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_rt_sigtimedwait, SYS_sigaltstack,
    /* what the process is told of itself; files that are open */
    SYS_fstat, SYS_getdents64, SYS_getrandom, SYS_getrusage, SYS_lseek, SYS_newfstatat, SYS_sysinfo,
    SYS_uname};

enum { MAX_STEPS = 256, STEPS_WITH_CONDITIONS = 64 };

struct program {
    unsigned short length;
    struct sock_filter step[MAX_STEPS];
};

static_assert(sizeof plain_calls / sizeof plain_calls[0] * 2 + STEPS_WITH_CONDITIONS <= MAX_STEPS,
              "two steps for each call, and those with conditions");

static void put(struct program *program, unsigned code, unsigned skip_if, unsigned skip_else,
                uint32_t value)
{
    program->step[program->length++] = (struct sock_filter){
        .code = (uint16_t)code, .jt = (uint8_t)skip_if, .jf = (uint8_t)skip_else, .k = value};
}

static void put_load(struct program *program, size_t offset)
{
    put(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void put_unless_equal(struct program *program, unsigned skip, uint32_t value)
{
    put(program, BPF_JMP | BPF_JEQ | BPF_K, 0, skip, value);
}

static void put_return(struct program *program, uint32_t value)
{
    put(program, BPF_RET | BPF_K, 0, 0, value);
}

static void allow(struct program *program, long call)
{
    put_unless_equal(program, 1, (uint32_t)call);
    put_return(program, SECCOMP_RET_ALLOW);
}

/* Allows a call where some bits of an argument, of its low 32, have a value; else it is EPERM. */
static void allow_if(struct program *program, long call, unsigned argument, uint32_t bits,
                     uint32_t value)
{
    put_unless_equal(program, 5, (uint32_t)call);
    put_load(program, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
    put(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, bits);
    put_unless_equal(program, 1, value);
    put_return(program, SECCOMP_RET_ALLOW);
    put_return(program, SECCOMP_RET_ERRNO | EPERM);
}

static void allow_reading_files(struct program *program)
{
    enum { WRITES = O_ACCMODE | O_CREAT | O_TRUNC };

    allow_if(program, SYS_openat, 2, WRITES, O_RDONLY);
#ifdef SYS_open
    allow_if(program, SYS_open, 1, WRITES, O_RDONLY);
#endif
}

static void write_program(struct program *program, bool reads_files)
{
    put_load(program, offsetof(struct seccomp_data, arch));
    put(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, THIS_ARCHITECTURE);
    put_return(program, SECCOMP_RET_ERRNO | ENOSYS);
    put_load(program, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof plain_calls / sizeof plain_calls[0]; i++)
        allow(program, plain_calls[i]);
    allow_if(program, SYS_mmap, 2, PROT_EXEC, 0);
    allow_if(program, SYS_mprotect, 2, PROT_EXEC, 0);
    /* Threads, but no processes. clone3, which cannot be looked into, falls back to this. */
    allow_if(program, SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
    allow_if(program, SYS_prctl, 0, UINT32_MAX, PR_SET_NAME);
    /* To be told a limit, not to set one. */
    allow_if(program, SYS_prlimit64, 2, UINT32_MAX, 0);
    /* abort() */
    allow_if(program, SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid());
    /* Without Landlock no file at all. */
    if (reads_files)
        allow_reading_files(program);
    put_return(program, SECCOMP_RET_ERRNO | ENOSYS);
}

/* SPEC_ALLOW: kernels before 5.16 would otherwise turn off a part of the CPU's speculation for
 * every thread that is confined, to the benefit of secrets that other processes have and this has
 * not. */
static bool confine_calls(bool reads_files)
{
    struct program program = {0};

    write_program(&program, reads_files);
    const struct sock_fprog filter = {.len = program.length, .filter = program.step};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) ==
           0;
}

#else

static bool confine_calls(bool reads_files)
{
    (void)reads_files;
    return false;
}

#endif

unsigned sandbox_enter(int folder)
{
    /* Without it the kernel confines only those who have rights to lose. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 0;
    const bool has_files = confine_files(folder);
    const bool has_calls = confine_calls(has_files && folder != SANDBOX_NO_FOLDER);

    return (has_files ? SANDBOX_FILES : 0U) | (has_calls ? SANDBOX_CALLS : 0U);
}

#endif
