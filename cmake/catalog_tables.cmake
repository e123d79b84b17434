# The catalogue's generated tables: a host tool checks lint/catalog/*.toml and writes them as constant data.
file(GLOB catalog_tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lint/catalog/tool/*.cpp)
file(GLOB catalog_data CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lint/catalog/*.toml ${PROJECT_SOURCE_DIR}/lint/catalog/models/*.toml)
add_executable(catalog_tool ${catalog_tool_sources} lint/catalog/names.cpp lint/catalog/rows.cpp)
target_link_libraries(catalog_tool PRIVATE plan third_party_toml oomlint_warnings)

set(catalog_tables ${PROJECT_BINARY_DIR}/generated/catalog_tables.cpp)
add_custom_command(OUTPUT ${catalog_tables}
  COMMAND catalog_tool ${PROJECT_SOURCE_DIR}/lint/catalog ${catalog_tables}
  DEPENDS catalog_tool ${catalog_data}
  COMMENT "Checking the catalogue"
  VERBATIM)
target_sources(catalog PRIVATE ${catalog_tables})

# Constant data costs nothing at start-up: no object of the catalogue has code that runs before main. (AddressSanitizer
# adds such code of its own.)
if(OOMLINT_TESTS AND CMAKE_OBJDUMP AND NOT OOMLINT_SANITIZE)
  add_test(NAME catalog_has_no_startup_code COMMAND ${CMAKE_OBJDUMP} -h $<TARGET_FILE:catalog>)
  set_tests_properties(catalog_has_no_startup_code PROPERTIES FAIL_REGULAR_EXPRESSION "\\.init_array|\\.ctors")
endif()
