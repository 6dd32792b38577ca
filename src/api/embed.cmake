# Writes a C file that holds the bytes of another file.
# cmake -DIN=openapi.yaml -DOUT=openapi.c -DHEADER=openapi.h -DNAME=openapi_yaml -P embed.cmake
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include \"${HEADER}\"

const unsigned char ${NAME}[] = {
    ${bytes}
};
const size_t ${NAME}_length = sizeof ${NAME};
")
