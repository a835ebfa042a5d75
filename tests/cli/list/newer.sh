# Source that was changed after the profile was written is marked.
. "$(dirname "$0")/demo"
touch -d 2019-01-01 full
assay list is_odd full -e Ir $there
