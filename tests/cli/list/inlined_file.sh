# Lines that Callgrind attributes to another file stand in a block of their own.
. "$(dirname "$0")/demo"
assay list _IO_file_doallocate full -e Ir
