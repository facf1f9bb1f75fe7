# Two Debian packages, made by `cpack -G DEB`: inkling (the programs) and libinkling-dev (libraries and headers).

# What Debian wants to know of the licences.
set(copyright "${CMAKE_CURRENT_LIST_DIR}/copyright")
install(FILES "${copyright}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT programs)
install(FILES "${copyright}" DESTINATION share/doc/libinkling-dev COMPONENT development EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME inkling)
set(CPACK_PACKAGE_CONTACT "The makers of Inkling <inkling@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds what a person wants in a large collection of documents")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME inkling)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS "python3-matplotlib")
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
  "The programs inkling and inkling-bench. They are linked with a part of CHOLMOD that is under the GPL.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libinkling-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(what_the_libraries_need libsuitesparse-dev libtbb-dev libfmt-dev libarchive-dev zlib1g-dev
  libsqlite3-dev libxxhash-dev libicu-dev libsimdjson-dev)
list(JOIN what_the_libraries_need ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The static libraries and headers of Inkling, and its CMake package.")
include(CPack)
