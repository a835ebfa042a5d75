# Addresses, costs, jumps; and why there are no instructions.
. "$(dirname "$0")/../list/demo"
assay asm mix full -e Ir $no_binary
