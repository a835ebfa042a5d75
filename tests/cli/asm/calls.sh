. "$(dirname "$0")/../list/demo"
assay asm sort_phase full -e Ir $no_binary
