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

# inkling_add_library(NAME [FOLDERS FOLDER...] [EXCEPT EXPRESSION...]): the static library inkling::NAME of the current
# folder, or of these folders of it. Paths that match one of the expressions belong to another target.
#
# Every header compiles alone: a source includes its own header first (a lint), and CMake proves it for the
# headers that have no source. They are the header set of the target NAME_lone_headers, which nobody links.
function(inkling_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCEPT")
  list(TRANSFORM arg_FOLDERS APPEND "/*.cpp" OUTPUT_VARIABLE source_patterns)
  list(TRANSFORM arg_FOLDERS APPEND "/*.hpp" OUTPUT_VARIABLE header_patterns)
  if(NOT arg_FOLDERS)
    set(source_patterns *.cpp)
    set(header_patterns *.hpp)
  endif()
  inkling_glob(sources ${source_patterns})
  inkling_glob(lone_headers ${header_patterns})
  foreach(exclude IN LISTS arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${exclude}")
    list(FILTER lone_headers EXCLUDE REGEX "${exclude}")
  endforeach()
  string(REGEX REPLACE "\\.cpp(;|$)" ".hpp\\1" headers_of_sources "${sources}")
  list(REMOVE_ITEM lone_headers ${headers_of_sources})

  add_library(${name} STATIC ${sources})
  add_library(inkling::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME inkling_${name})

  add_library(${name}_lone_headers INTERFACE)
  target_link_libraries(${name}_lone_headers INTERFACE inkling::${name})
  target_sources(${name}_lone_headers INTERFACE
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${lone_headers})
endfunction()

# inkling_install_headers(TARGET HEADERS NAME...): what is installed with the target: headers of the engine and of io, which are
# found as they are in the repository, and those of its own include/inkling/ by name, or made ones by path.
function(inkling_install_headers target headers)
  list(FILTER headers EXCLUDE REGEX "/include/inkling/")
  set(faces "")
  foreach(name IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH name BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/include/inkling")
    list(APPEND faces "${name}")
  endforeach()
  target_sources(${target}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers}
    PUBLIC FILE_SET faces TYPE HEADERS BASE_DIRS "${CMAKE_CURRENT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include" FILES ${faces})
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS OFF) # the lone headers of each library are looked at
endfunction()

# inkling_headers_behind(OUT HEADER): the header and all headers of the engine and of io that it includes, directly or not.
function(inkling_headers_behind out header)
  set(found "")
  set(waiting "${header}")
  while(waiting)
    list(POP_FRONT waiting next)
    list(APPEND found "${next}")
    file(STRINGS "${next}" includes REGEX "^#include \"(engine|io)/")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include \"(.*)\".*" "${PROJECT_SOURCE_DIR}/\\1" include "${include}")
      if(NOT include IN_LIST found AND NOT include IN_LIST waiting)
        list(APPEND waiting "${include}")
      endif()
    endforeach()
  endwhile()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${found}")
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# inkling_source_commit(OUT): the commit of the sources: that which `git archive` wrote into .cmake/commit, or else what Git says,
# looked up again after each commit; empty without either.
function(inkling_source_commit out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/.cmake/commit" commit)
  if(commit MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${commit}" 0 9 commit)
    set(${out} "${commit}" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND git describe --always --exclude=* --dirty=-changed
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git rev-parse --path-format=absolute --git-path logs/HEAD
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(log AND EXISTS "${log}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${log}")
  endif()
  set(${out} "${commit}" PARENT_SCOPE)
endfunction()

# inkling_compile_together(TARGET COUNT PATTERN): so many sources at a time if they include a header of this pattern, which many
# do, so that a change of it is soon built; all others are compiled one by one.
function(inkling_compile_together target count pattern)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(found 0)
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" includes REGEX "^#include \".*/${pattern}\"")
    get_source_file_property(alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(source MATCHES "\\.cpp$" AND includes AND NOT alone)
      math(EXPR group "${found} / ${count}")
      math(EXPR found "${found} + 1")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "group${group}")
    endif()
  endforeach()
endfunction()

# inkling_precompile(TARGET HEADER...): standard headers, and these, are parsed once for all files of the target. That is
# half of what a small file costs.
function(inkling_precompile target)
  if(INKLING_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <memory> <numeric>
      <optional> <span> <string> <vector> ${ARGN})
  endif()
endfunction()
