# What `cmake --install` puts where, and the Debian package that `cpack` makes of the server.
#   component dev     the core for other programs: find_package(sudoku), target sudoku::sudoku
#   component server  the service and its systemd units
include(CMakePackageConfigHelpers)

set(sudoku_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sudoku)
install(TARGETS sudoku EXPORT sudoku-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY include/sudoku DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT sudoku-targets FILE sudoku-config.cmake NAMESPACE sudoku::
    DESTINATION ${sudoku_package_dir} COMPONENT dev)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/sudoku-config-version.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sudoku-config-version.cmake
    DESTINATION ${sudoku_package_dir} COMPONENT dev)

if(NOT SUDOKU_BUILD_SERVER)
    return()
endif()

install(TARGETS sudokud RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT server)
install(FILES src/server/sudokud.service src/server/sudokud.socket
    DESTINATION lib/systemd/system COMPONENT server)
install(FILES README.md openapi.yaml DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT server)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL server)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The sudokud project <sudokud@localhost>")
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME sudokud)
set(CPACK_DEBIAN_SERVER_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_SERVER_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_SERVER_DESCRIPTION "solves Sudoku over HTTP
Takes a puzzle, or a hundred thousand, as JSON or text, and gives its first
solution, whether that is the only one, or that there is none.")
foreach(script postinst prerm postrm)
    list(APPEND CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
        ${CMAKE_CURRENT_SOURCE_DIR}/src/server/debian/${script})
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
