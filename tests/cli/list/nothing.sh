# No such function: status 1, and what may have been meant.
. "$(dirname "$0")/demo"
assay list sort_fase full || echo $?
assay list 'no such thing' full || echo $?
assay list '(' full -n 1 -q > /dev/null || echo $?
