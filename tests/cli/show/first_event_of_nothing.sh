# A program that only waited has no samples: the table is of the first event that has any cost.
printf 'events: samples off-cpu more\nfn=sleep\n1 0 7 3\nfn=lock\n2 0 2 9\n' >waited
assay waited
# Without any cost it is of the first.
printf 'events: samples off-cpu\nfn=sleep\n1 0 0\n' >nothing
assay nothing
