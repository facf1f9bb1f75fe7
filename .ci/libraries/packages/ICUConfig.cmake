# ICU as static libraries of the prefix that this file lies in.
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET ICU::uc)
  foreach(component dt uc in)
    add_library(ICU::${component} STATIC IMPORTED)
    string(REPLACE in i18n unix "${component}") # its name outside of Windows
    file(GLOB library "${prefix}/lib/libicu${component}.a" "${prefix}/lib/libsicu${component}.a" "${prefix}/lib/libicu${unix}.a")
    set_target_properties(ICU::${component} PROPERTIES
      IMPORTED_LOCATION "${library}"
      INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include"
      INTERFACE_COMPILE_DEFINITIONS U_STATIC_IMPLEMENTATION)
  endforeach()
  set_target_properties(ICU::uc PROPERTIES INTERFACE_LINK_LIBRARIES ICU::dt)
  set_target_properties(ICU::in PROPERTIES INTERFACE_LINK_LIBRARIES ICU::uc)
  add_library(ICU::data ALIAS ICU::dt)
  add_library(ICU::i18n ALIAS ICU::in)
endif()
foreach(component dt data uc in i18n)
  set(ICU_${component}_FOUND TRUE)
endforeach()
