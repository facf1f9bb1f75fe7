# Flags of the targets of this project. None of them reaches a project that links the engine.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A fused multiply-add rounds once where two instructions round twice. It must not decide which document
# is chosen, so the same source gives the same bits with g++ and clang, with and without -march=native.
# Nobody reads errno after a square root, and without it the compiler may take several at once.
add_compile_options(-ffp-contract=off -fno-math-errno)

# Position-independent, so that programs get a random layout and the engine fits into shared libraries. Nobody
# replaces our functions when a program starts, so the compiler may inline them all the same.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT APPLE) # where nobody can
  add_compile_options(-fno-semantic-interposition)
endif()

# The rest is for our own builds: a project that takes us in with add_subdirectory() has flags of its own.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# clang's -Wconversion includes -Wsign-conversion, g++'s does not: ask both for the same.
add_compile_options(-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow)
# Every compiler finds something else to warn about. Only those that the project is tested with may fail for it.
string(REGEX MATCH "^[0-9]+" compiler_major "${CMAKE_CXX_COMPILER_VERSION}")
if(INKLING_WERROR AND "${CMAKE_CXX_COMPILER_ID} ${compiler_major}" MATCHES "^(GNU 12|Clang 16|Clang 22)$")
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict) # g++ 12 warns about its own std::string (GCC bug 105651)
  # With -O3 it follows so many calls that it takes the end of one std::string or struct for that of another. Builds with
  # assertions ask for these warnings, and fail for them.
  add_compile_options("$<$<CONFIG:Release>:-Wno-dangling-pointer;-Wno-maybe-uninitialized>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
  # In a unity build g++ takes a source for a header, and a local name may be that of a constant in another file.
  add_compile_options(-Wno-subobject-linkage -Wno-shadow -Wshadow=local)
endif()

# The same sources give the same bytes wherever they lie.
add_compile_options(
  "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.;-ffile-prefix-map=${PROJECT_BINARY_DIR}=build>")
if(WIN32)
  add_compile_definitions(_WIN32_WINNT=0x0A00) # Windows 10
  add_compile_options(-Wa,-mbig-obj) # a group of sources has more sections than old object files can hold
else()
  # Some distributions define _FORTIFY_SOURCE by default, and redefining it is a warning.
  add_compile_options(
    "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong>")
  if(NOT APPLE)
    add_link_options("$<$<CONFIG:Release>:-Wl,-z,relro,-z,now>")
  endif()
endif()
# Stacks that grow page by page, and branches that land only where they may: by callgrind, rounds of inkling, ff-oful and oful take
# 0.1 to 0.45 % more instructions. Checked indices of the standard library (_GLIBCXX_ASSERTIONS) would take 16 to 31 % more: only
# io/doors has them, where requests of others come in.
include(CheckCXXCompilerFlag)
set(hardening -fstack-clash-protection -fcf-protection=full)
if(WIN32 OR APPLE)
  set(hardening "") # its stacks always grow page by page, and it has no such branches
endif()
foreach(flag IN LISTS hardening)
  string(MAKE_C_IDENTIFIER "INKLING_HAS${flag}" has_flag)
  check_cxx_compiler_flag("${flag}" ${has_flag})
  if(${has_flag})
    add_compile_options("$<$<CONFIG:Release>:${flag}>")
  endif()
endforeach()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  add_compile_definitions(__SANITIZE_THREAD__) # as g++ says it, and clang does not
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=([a-z-]+,)*address")
  add_compile_definitions(__SANITIZE_ADDRESS__) # as g++ says it, and clang does not
  if(NOT INKLING_FUZZERS) # a program with the sanitizer inside could not be started by a Python that loads it for a module
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so"
      OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    cmake_path(GET runtime PARENT_PATH runtime)
    add_link_options(-shared-libsan "-Wl,-rpath,${runtime}")
  endif()
endif()
