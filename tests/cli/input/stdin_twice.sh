assay merge - - -o x.callgrind < /dev/null
