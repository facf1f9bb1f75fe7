# The headers of Boost in the prefix that this file lies in, and program_options, its only library there.
get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET Boost::headers)
  add_library(Boost::headers INTERFACE IMPORTED)
  set_target_properties(Boost::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${prefix}/include"
    INTERFACE_COMPILE_DEFINITIONS BOOST_ALL_NO_LIB)
  if(WIN32)
    set_target_properties(Boost::headers PROPERTIES INTERFACE_LINK_LIBRARIES "ws2_32;mswsock") # which Asio calls
  else()
    set_property(TARGET Boost::headers APPEND PROPERTY # libc++ has no std::unary_function and no std::result_of any more
      INTERFACE_COMPILE_DEFINITIONS BOOST_NO_CXX98_FUNCTION_BASE BOOST_ASIO_HAS_STD_INVOKE_RESULT)
  endif()
  add_library(Boost::boost ALIAS Boost::headers)
  add_library(Boost::program_options STATIC IMPORTED)
  set_target_properties(Boost::program_options PROPERTIES
    IMPORTED_LOCATION "${prefix}/lib/libboost_program_options.a"
    INTERFACE_LINK_LIBRARIES Boost::headers)
endif()
foreach(component ${Boost_FIND_COMPONENTS})
  if(TARGET Boost::${component})
    set(Boost_${component}_FOUND TRUE)
  elseif(Boost_FIND_REQUIRED_${component})
    set(Boost_FOUND FALSE)
    set(Boost_NOT_FOUND_MESSAGE "build.sh does not build ${component}")
  endif()
endforeach()
