# Text that may have been cut inside of a number is shown, and a line says so: of each such format, once for each file.
printf 'main;f 20\nmain;g 3' > x.folded
assay top -n 1 x.folded
printf 'heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x1010' > x.heap
assay info --symbols none x.heap > info
printf 'a 1 1.0: 5 cycles:\n\t10 f (/x)\n\t20 ma' > x.script
assay tree x.script > tree
assay flame -f svg x.script > flame.svg
printf 'Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %%   cumulative   self              self     total\n time   seconds   seconds    calls  ms/call  ms/call  name\n 50.00      0.01     0.01        1    10.00    10.00  f\n' > x.gprof
assay top x.gprof > gprof
printf 'main;f 20\n' > whole.folded
assay merge x.folded x.script whole.folded -o all.pb.gz
# Not with -q, nor of a whole one
assay top -q x.folded > quiet
assay top -n 1 whole.folded
# What is odd and leaves the figures as they are is no line: check has it
printf 'main;;f 20\n' > odd.folded
assay check odd.folded | grep -c fo-frame-empty
assay top -n 1 odd.folded > odd
