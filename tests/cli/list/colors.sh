# The hottest lines stand out, those without cost step back.
. "$(dirname "$0")/demo"
assay list mix full -e Ir --color=always $there
