# Instructions below their lines; without the binary only their addresses.
. "$(dirname "$0")/demo"
assay list is_odd full -e Ir --asm $no_binary
