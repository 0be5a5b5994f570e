# Cross-compiles for arm64 on a Debian x86-64 machine (packages gcc-aarch64-linux-gnu, qemu-user):
#   cmake -B build/arm64 -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DSOLOIST_TESTS=OFF
#   cmake --build build/arm64 && qemu-aarch64 build/arm64/soloist bench --check tests/golden/bench.txt
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# Parts of the host are not parts of the target.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
