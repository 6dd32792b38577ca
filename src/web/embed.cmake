# Writes a C file with the table of web.h: each file as it is and compressed, and its entity tags.
# cmake -DFOLDER=src/web "-DFILES=index.html;app.js" -DOUT=assets.c -DGZIP=/bin/gzip -P embed.cmake
set(type_html "text/html; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_svg "image/svg+xml")

function(put_bytes file name)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    file(APPEND ${OUT} "static const unsigned char ${name}[] = {\n    ${bytes}\n};\n")
endfunction()

file(WRITE ${OUT} "#include \"web/web.h\"\n\n")
set(rows "")
set(index 0)
foreach(file ${FILES})
    set(zip ${OUT}.gz)
    execute_process(COMMAND ${GZIP} -9nc INPUT_FILE ${FOLDER}/${file} OUTPUT_FILE ${zip}
        COMMAND_ERROR_IS_FATAL ANY)
    file(SIZE ${FOLDER}/${file} plain_size)
    file(SIZE ${zip} zip_size)
    put_bytes(${FOLDER}/${file} file${index})
    set(zip_members "NULL, 0")
    if(zip_size LESS plain_size)
        put_bytes(${zip} zip${index})
        set(zip_members "zip${index}, sizeof zip${index}")
    endif()
    file(REMOVE ${zip})

    file(SHA256 ${FOLDER}/${file} hash)
    string(SUBSTRING ${hash} 0 20 hash)
    string(REGEX REPLACE ".*[.]" "" ending ${file})
    string(REGEX REPLACE "^index[.]html$" "" path ${file})
    string(APPEND rows "    {\"/${path}\", \"${type_${ending}}\", \"\\\"${hash}\\\"\",
     \"\\\"${hash}-gzip\\\"\", file${index}, sizeof file${index}, ${zip_members}},\n")
    math(EXPR index "${index} + 1")
endforeach()
file(APPEND ${OUT} "
const struct web_asset web_assets[] = {
${rows}};
const size_t web_asset_count = ${index};
")
