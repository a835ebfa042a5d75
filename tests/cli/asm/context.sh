. "$(dirname "$0")/../list/demo"
assay asm is_odd full -e Ir -C 0 $no_binary
