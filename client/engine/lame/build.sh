#!/bin/sh
# Compiles LAME 3.100 and encoder.c to lame.wasm: sh build.sh LAME_SOURCE_FOLDER
# Needs Debian's clang, lld, wasi-libc, libclang-rt-dev-wasm32, binaryen and patch. The source is that of Debian's package `lame`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1" "$work/lame"
source=$work/lame
patch -s -d "$source" -p1 <"$here/lame.patch"
cat >"$work/config.h" <<'CONFIG'
#define STDC_HEADERS 1
#define HAVE_ERRNO_H 1
#define HAVE_LIMITS_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STRCHR 1
#define HAVE_MEMCPY 1
#define PACKAGE "lame"
#define VERSION "3.100"
#define LAME_LIBRARY_BUILD 1
#define USE_FAST_LOG 1
/* There are no files, and no process that could end. */
#include <stdio.h>
#include <stdlib.h>
#define vfprintf(...) 0
#define fflush(file) 0
#define fseek(...) 0
#define fread(...) 0
#define fwrite(...) 0
#define exit(code) __builtin_trap()
typedef float ieee754_float32_t;
typedef double ieee754_float64_t;
typedef long double ieee854_float80_t;
CONFIG
sources="bitstream encoder fft gain_analysis id3tag lame newmdct presets psymodel quantize quantize_pvt reservoir set_get tables takehiro util vbrquantize VbrTag version"
compile() {
  clang --target=wasm32-wasi -O3 -msimd128 -mnontrapping-fptoint -mbulk-memory -msign-ext -ffast-math -DNDEBUG -DHAVE_CONFIG_H -w \
    -I"$work" -I"$source/include" -I"$source/libmp3lame" -c "$1" -o "$work/$(basename "$1" .c).o"
}
for name in $sources; do compile "$source/libmp3lame/$name.c"; done
cp "$here/encoder.c" "$work/wasm_bridge.c"
compile "$work/wasm_bridge.c"
clang --target=wasm32-wasi -mexec-model=reactor -Wl,--strip-all -Wl,-z,stack-size=262144 "$work"/*.o -o "$work/lame.wasm"
wasm-opt -O3 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int "$work/lame.wasm" -o "$here/lame.wasm"
