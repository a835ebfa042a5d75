# The figures are those of the lines: mix 15 in all, step 3 inlined into it.
cat > x.folded <<'END'
main 1
main;compute;mix 12
main;compute;mix;step_[i] 3
main;read;sys_read_[k] 5
main;compute;mix 2
END
assay x.folded | head -3
assay top x.folded
assay peek mix x.folded
assay tree x.folded --bottom-up -m 20%
assay check x.folded
