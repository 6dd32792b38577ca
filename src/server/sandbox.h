/* What the service gives up once it has all it needs: should a request ever take it over, there is
 * little left to do with it.
 *
 * Of files it can open none (Landlock); of the system it can call what it needs to serve (seccomp):
 * it starts no program and no process, makes no connection, listens nowhere, attaches to nothing,
 * and makes no memory executable. Both last until the end of the process, and both may be missing
 * from a kernel. */
#ifndef SUDOKU_SERVER_SANDBOX_H
#define SUDOKU_SERVER_SANDBOX_H

enum sandbox_part {
    SANDBOX_FILES = 1 << 0,
    SANDBOX_CALLS = 1 << 1,
};

enum { SANDBOX_NO_FOLDER = -1 };

/* Confines the calling thread and those that it makes from now on, and says which parts could be
 * had. What is in `folder` may still be opened for reading. It is to be kept open: procfs would
 * make the folder anew, and unknown to the kernel's rule, when it is short of memory. */
unsigned sandbox_enter(int folder);

#endif
