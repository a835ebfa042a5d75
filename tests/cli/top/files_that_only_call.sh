# Of files that are not there and whose code only calls what costs, three are named.
{
    echo 'heap profile: 2: 8 [2: 8] @ heapprofile'
    echo '2: 8 [2: 8] @ 0x1010 0x2020 0x3020 0x4020 0x5020 0x6020'
    echo MAPPED_LIBRARIES:
    for i in 1 2 3 4 5 6; do echo "${i}000-${i}fff r-xp 00000000 08:01 $i /srv/lib$i"; done
} > x.heap
assay top --symbols auto x.heap
echo --- -v
assay top --symbols auto -v x.heap -n 1 2>&1 | grep -c 'not found'
