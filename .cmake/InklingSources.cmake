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
# match one of the EXCLUDE expressions belong to another target. Every header compiles alone: a source includes
# its own header first (a lint), and CMake proves it of those that have no source, the set `lone_headers`.
function(inkling_add_library name)
  inkling_glob(sources *.cpp)
  inkling_glob(headers *.hpp)
  foreach(exclude IN LISTS ARGN)
    list(FILTER sources EXCLUDE REGEX "${exclude}")
    list(FILTER headers EXCLUDE REGEX "${exclude}")
  endforeach()

  set(lone_headers "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.hpp$" ".cpp" source "${header}")
    if(NOT EXISTS "${source}")
      list(APPEND lone_headers "${header}")
    endif()
  endforeach()
  if(lone_headers)
    list(REMOVE_ITEM headers ${lone_headers})
  endif()

  add_library(${name} STATIC ${sources})
  add_library(inkling::${name} ALIAS ${name})
  target_sources(${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers}
    FILE_SET lone_headers TYPE HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${lone_headers})
  set_target_properties(${name} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY lone_headers)
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME inkling_${name})
endfunction()
