# Parts that may be absent: the build says which and goes on. Each gives SOLOIST_WITH_<PART> as 0 or 1.
# -DSOLOIST_<PART>=OFF leaves a part out although it is there.

set(SOLOIST_PART_DEFINITIONS "")
function(soloist_part name header)
  option(SOLOIST_${name} "Use ${name} if it is there" ON)
  find_path(${name}_HEADER ${header} PATH_SUFFIXES openblas openblas-pthread ${CMAKE_LIBRARY_ARCHITECTURE}
            ${CMAKE_LIBRARY_ARCHITECTURE}/mpi HINTS
            /usr/local/cuda/include)
  find_library(${name}_LIBRARY NAMES ${ARGN} HINTS /usr/local/cuda/lib64)
  mark_as_advanced(${name}_HEADER ${name}_LIBRARY)
  if(NOT SOLOIST_${name})
    set(have 0)
  elseif(${name}_HEADER AND ${name}_LIBRARY)
    set(have 1)
    message(STATUS "optional ${name}: found")
  else()
    set(have 0)
    message(STATUS "optional ${name}: not found, built without")
  endif()
  set(SOLOIST_PART_DEFINITIONS ${SOLOIST_PART_DEFINITIONS} SOLOIST_WITH_${name}=${have} PARENT_SCOPE)
  set(SOLOIST_WITH_${name} ${have} PARENT_SCOPE)
endfunction()

soloist_part(CUDA cudnn.h cudnn)
# The back end of the graphics card is a file of its own (src/net/module.h); sanitizers and nvcc do not mix.
find_program(NVCC nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(NVCC)
set(SOLOIST_CUDA_MODULE OFF)
if(SOLOIST_WITH_CUDA AND NVCC AND NOT SOLOIST_SANITIZE AND NOT SOLOIST_FUZZ AND NOT SOLOIST_COVERAGE)
  set(SOLOIST_CUDA_MODULE ON)
endif()
soloist_part(MPI mpi.h mpi)
# Ranks are a file of their own too (src/mpi/). The thread sanitizer does not see what MPI's library does.
set(SOLOIST_MPI_MODULE OFF)
if(SOLOIST_WITH_MPI AND NOT SOLOIST_SANITIZE MATCHES "thread" AND NOT SOLOIST_FUZZ AND NOT SOLOIST_COVERAGE)
  set(SOLOIST_MPI_MODULE ON)
endif()
soloist_part(SQLITE sqlite3.h sqlite3) # without it the lab keeps its results only in files of JSON lines
soloist_part(MICROHTTPD microhttpd.h microhttpd)
soloist_part(PNG png.h png)

# What the program itself links.
set(SOLOIST_CLI_LIBRARIES "")
if(SOLOIST_WITH_PNG)
  list(APPEND SOLOIST_CLI_LIBRARIES ${PNG_LIBRARY})
endif()

# What the lab links; the library that other programs embed links none of these parts.
set(SOLOIST_LAB_LIBRARIES "")
if(SOLOIST_WITH_SQLITE)
  list(APPEND SOLOIST_LAB_LIBRARIES ${SQLITE_LIBRARY})
endif()

# What the server links.
set(SOLOIST_SERVE_LIBRARIES "")
if(SOLOIST_WITH_MICROHTTPD)
  list(APPEND SOLOIST_SERVE_LIBRARIES ${MICROHTTPD_LIBRARY})
endif()
