. "$(dirname "$0")/../list/demo"
assay asm is_odd full -f json -e Ir,Bcm $no_binary
