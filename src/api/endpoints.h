/* What the route table is made of: one file each. */
#ifndef SUDOKU_API_ENDPOINTS_H
#define SUDOKU_API_ENDPOINTS_H

#include "api.h"

void solve_decode(struct api_call *call);
void solve_encode(struct api_call *call);

void validate_decode(struct api_call *call);
void validate_encode(struct api_call *call);

void livez_encode(struct api_call *call);
void readyz_encode(struct api_call *call);
void openapi_encode(struct api_call *call);

#endif
