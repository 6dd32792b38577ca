/* The page at / and the files it is made of, put in at build time by embed.cmake. */
#ifndef SUDOKU_WEB_WEB_H
#define SUDOKU_WEB_WEB_H

#include "api/api.h"

/* A file as it is, and as gzip makes it. `gzip` is NULL when that is no smaller. */
struct web_asset {
    const char *path; /* of the route */
    const char *content_type;
    const char *etag; /* with its quotes */
    const char *gzip_etag;
    const unsigned char *bytes;
    size_t length;
    const unsigned char *gzip;
    size_t gzip_length;
};

extern const struct web_asset web_assets[];
extern const size_t web_asset_count;

/* Encodes the asset at the path of the call's route. */
void web_asset_encode(struct api_call *call);

#endif
