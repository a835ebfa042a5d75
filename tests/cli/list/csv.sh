. "$(dirname "$0")/demo"
assay list sort_phase full -f csv -e Ir,Dr $there
