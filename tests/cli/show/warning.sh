# A file about which there is something to say is not "nothing odd".
printf 'heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x1010' > x.heap
assay show --symbols none x.heap | grep '^check'
printf 'heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x1010\n' > x.heap
assay show --symbols none x.heap | grep '^check'
