# What every target of ours is compiled with.
add_library(oomlint_warnings INTERFACE)
target_include_directories(oomlint_warnings INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(oomlint_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                                  -Wno-missing-field-initializers)
if(OOMLINT_WERROR)
  target_compile_options(oomlint_warnings INTERFACE -Werror)
endif()
if(OOMLINT_SANITIZE)
  # GCC 12 takes instrumented std::optional for uninitialised.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(oomlint_warnings INTERFACE -Wno-maybe-uninitialized)
  endif()
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(OOMLINT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
# GCC 12 takes `"text" + std::string` at -O3 for a copy over itself: gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(oomlint_warnings INTERFACE -Wno-restrict)
endif()
