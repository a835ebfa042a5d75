# The files of one run by their base name; others that begin alike are left alone.
. "$(dirname "$0")/../samples"
first > cg.1
first > cg.2
first > cg
first > cg3
first > cg.2.old
assay top cg --all-parts -f csv --by file
assay info cg --all-parts -f json | grep -c '"number"'
assay top cg -f csv --by file
