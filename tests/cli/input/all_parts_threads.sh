# valgrind leaves the base file empty beside those of the threads.
. "$(dirname "$0")/../samples"
: > cg
first > cg-01
first > cg-02
assay top cg --all-parts -f csv --by file
