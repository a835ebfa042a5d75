# Two lines around each that has a cost; stretches between are left out.
. "$(dirname "$0")/demo"
assay list fib full -e Ir -C 2 $there
assay list main full -e Ir -C 0 $there
