#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/elf_seeds.sh SOURCE FOLDER CC...: small shared objects for the fuzz target "elf", with debug
# information of every version, compressed, split, in sections of functions, and without any; and
# with stubs of both kinds.
set -eu
source=$1 out=$2
shift 2
cc=$* # a compiler, with what stands before it (ccache)
# shellcheck disable=SC2086 # words
rm -rf "$out"
mkdir -p "$out"

make_seed() {
    name=$1
    shift
    $cc -shared -fPIC -nostdlib -Wl,--build-id -Wl,-z,noseparate-code -O2 "$@" "$source" -o "$out/$name"
}

make_seed dwarf5 -gdwarf-5
make_seed dwarf4 -gdwarf-4 -ffunction-sections
make_seed dwarf2 -gdwarf-2 -gstrict-dwarf
make_seed compressed -gdwarf-5 -gz
make_seed symbols -g0
make_seed stripped -s

# What not every compiler and linker can.
make_seed zstd -gdwarf-5 -Wl,--compress-debug-sections=zstd 2> "$out/log" || rm -f "$out/zstd"
make_seed ibt -g0 -fcf-protection -Wl,-z,ibtplt 2>> "$out/log" || rm -f "$out/ibt"

# The sections of the .dwo in the object itself, for which the target is at a path as long as the
# name that is compiled in.
make_split() {
    name=$1
    shift
    (cd "$out" && $cc -c -fPIC -O2 -gsplit-dwarf "$@" "$source" -o twelve_bytes.o &&
        $cc -shared -nostdlib -Wl,--build-id -Wl,-z,noseparate-code twelve_bytes.o -o "$name") || return 1
    for section in info abbrev str str_offsets line rnglists; do
        objcopy -O binary -j ".debug_$section.dwo" --set-section-flags ".debug_$section.dwo=alloc" \
            "$out/twelve_bytes.dwo" "$out/section" || return 1
        [ ! -s "$out/section" ] ||
            objcopy --add-section ".debug_$section.dwo=$out/section" "$out/$name" || return 1
    done
    LC_ALL=C sed -i 's|twelve_bytes\.dwo|/proc/self/fd/99|' "$out/$name"
}
source=$(realpath "$source")
for version in 4 5; do
    make_split "split$version" "-gdwarf-$version" 2>> "$out/log" || rm -f "$out/split$version"
done
rm -f "$out/twelve_bytes".* "$out/section" "$out/log"
