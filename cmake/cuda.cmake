# libsoloist_cuda.so: networks on the graphics card. Host code is C; only *.cu goes through nvcc, by a command of its
# own, so that the C compiler's flags stay out of it. Code for Hopper, and PTX for what comes after.
include(GNUInstallDirs)
file(GLOB kernels CONFIGURE_DEPENDS src/net/cuda/*.cu)
file(GLOB kernel_headers CONFIGURE_DEPENDS src/net/cuda/*.h)
foreach(kernel ${kernels})
  get_filename_component(name ${kernel} NAME_WE)
  set(object ${CMAKE_BINARY_DIR}/cuda_${name}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${NVCC} -O3 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -Xcompiler -fPIC
            -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/src -c ${kernel} -o ${object}
    DEPENDS ${kernel} ${kernel_headers}
    COMMENT "Building CUDA kernels: ${name}" VERBATIM)
  list(APPEND kernel_objects ${object})
endforeach()
file(GLOB cuda_sources CONFIGURE_DEPENDS src/net/cuda/*.c)
add_library(soloist_cuda SHARED ${cuda_sources} ${kernel_objects} $<TARGET_OBJECTS:floor_base> $<TARGET_OBJECTS:floor_net>)
target_include_directories(soloist_cuda PRIVATE include src)
target_include_directories(soloist_cuda SYSTEM PRIVATE ${CUDA_HEADER} /usr/local/cuda/include)
foreach(library cudnn cublas cudart)
  find_library(CUDA_${library} ${library} HINTS /usr/local/cuda/lib64)
  mark_as_advanced(CUDA_${library})
  target_link_libraries(soloist_cuda PRIVATE ${CUDA_${library}})
endforeach()
target_link_libraries(soloist_cuda PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
set_target_properties(soloist_cuda PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} INSTALL_RPATH_USE_LINK_PATH ON)
add_dependencies(soloist soloist_cuda)
install(TARGETS soloist_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
