. "$(dirname "$0")/demo"
assay list demo.c:69 full -e Ir $there
