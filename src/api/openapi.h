/* The text of openapi.yaml, put in at build time by embed.cmake. */
#ifndef SUDOKU_API_OPENAPI_H
#define SUDOKU_API_OPENAPI_H

#include <stddef.h>

extern const unsigned char openapi_yaml[];
extern const size_t openapi_yaml_length;

#endif
