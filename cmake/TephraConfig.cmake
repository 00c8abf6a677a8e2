# Package file of Tephra: find_package(Tephra) gives the target Tephra::tephra.
# It finds the library beside itself, so the install tree can be moved.
get_filename_component(_tephra_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET Tephra::tephra)
    add_library(Tephra::tephra SHARED IMPORTED)
    set_target_properties(
        Tephra::tephra
        PROPERTIES IMPORTED_LOCATION "${_tephra_prefix}/lib/libtephra.so"
                   INTERFACE_INCLUDE_DIRECTORIES "${_tephra_prefix}/include")
endif()

# For tests that run a program under LD_PRELOAD, and for Fortran programs: the module's source.
set(Tephra_PRELOAD_LIBRARY "${_tephra_prefix}/lib/libtephra_preload.so")
set(Tephra_FORTRAN_MODULE "${_tephra_prefix}/include/tephra.f90")
unset(_tephra_prefix)
