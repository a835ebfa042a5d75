# Costs and line numbers, and where the source was looked for.
. "$(dirname "$0")/demo"
assay list qsort full -e Ir
