# A function's lines from the first to the last, its calls below them.
. "$(dirname "$0")/demo"
assay list main full -e Ir $there
assay list mix full -e Ir,Dr,Bcm $there
