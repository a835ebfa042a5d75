#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# fuzz/elf_seeds.sh SOURCE FOLDER CC: small shared objects for the fuzz target "elf", with debug
# information of every version, compressed, in sections of functions, and without any.
set -eu
source=$1 out=$2 cc=$3
rm -rf "$out"
mkdir -p "$out"

make_seed() {
    name=$1
    shift
    "$cc" -shared -fPIC -nostdlib -Wl,--build-id -Wl,-z,noseparate-code -O2 "$@" "$source" -o "$out/$name"
}

make_seed dwarf5 -gdwarf-5
make_seed dwarf4 -gdwarf-4 -ffunction-sections
make_seed dwarf2 -gdwarf-2 -gstrict-dwarf
make_seed compressed -gdwarf-5 -gz
make_seed symbols -g0
make_seed stripped -s
