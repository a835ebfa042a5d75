# What costs nothing because its callees cancel each other out has no box, and nothing stands on it.
printf 'main;a;plus 9\nmain;a;minus -9\nmain;b 1\n' > n.folded
assay flame n.folded --min 0 -f text
