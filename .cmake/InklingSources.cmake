# A file belongs to a target because of the folder it lies in; nobody keeps lists.

# inkling_glob(OUT PATTERN...): the files below the current folder, found again whenever one comes or goes.
function(inkling_glob out)
  set(patterns "")
  foreach(pattern IN LISTS ARGN)
    list(APPEND patterns "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
  endforeach()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  if(CMAKE_CXX_CLANG_TIDY) # other rules: look again
    set_source_files_properties(${files} PROPERTIES OBJECT_DEPENDS "${PROJECT_SOURCE_DIR}/.clang-tidy")
  endif()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# inkling_add_library(NAME EXCLUDE...): the static library inkling::NAME of the current folder. Paths that
# match one of the EXCLUDE expressions belong to another target. Its headers form a header set, from which
# CMake proves that each of them compiles alone.
function(inkling_add_library name)
  inkling_glob(sources *.cpp)
  inkling_glob(headers *.hpp)
  foreach(exclude IN LISTS ARGN)
    list(FILTER sources EXCLUDE REGEX "${exclude}")
    list(FILTER headers EXCLUDE REGEX "${exclude}")
  endforeach()

  add_library(${name} STATIC ${sources})
  add_library(inkling::${name} ALIAS ${name})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME inkling_${name})
endfunction()
