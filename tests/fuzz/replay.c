/* Runs what a fuzzer runs, on the files of the folders named and without a fuzzer: so that every
 * input that once mattered is tried again by any compiler, with every test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Noreturn void die(const char *what)
{
    perror(what);
    exit(1);
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        die(path);
    const long size = ftell(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    if (size < 0 || data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size)
        die(path);
    fclose(file);
    /* Which one it was, when it ends here. */
    printf("%s\n", path);
    if (fflush(stdout) != 0)
        die("stdout");
    (void)LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

static unsigned run_folder(const char *folder)
{
    DIR *files = opendir(folder);
    unsigned count = 0;
    char path[1024];

    if (files == NULL)
        die(folder);
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        if (file->d_name[0] == '.')
            continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, file->d_name) >= (int)sizeof path)
            die("a path too long");
        run_file(path);
        count++;
    }
    closedir(files);
    return count;
}

int main(int argc, char *argv[])
{
    unsigned count = 0;

    for (int i = 1; i < argc; i++)
        count += run_folder(argv[i]);
    printf("%u inputs\n", count);
    return count > 0 ? 0 : 1;
}
