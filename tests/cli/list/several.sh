# All that match, largest first; those beyond the limit are told.
. "$(dirname "$0")/demo"
assay list '^is_(odd|even)$' full -e Ir $there
assay list phase full -e Ir -n 1 $there
