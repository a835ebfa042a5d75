# A name cannot move the cursor.
assay top "$(printf 'a\033[2Jb')" 2>&1 | cat -v
