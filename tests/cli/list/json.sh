. "$(dirname "$0")/demo"
assay list sort_phase full -f json -e Ir,Dr $there
