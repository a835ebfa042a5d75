# A minute in which nothing ran: each command says that there is nothing, and that is no failure of a table.
minute=db/box/202611231045/20261123T104500Z-60.dcpi
mkdir -p $minute
{
    printf '%s\n' 'version pdb-0.07' 'image 0' 'epoch 2611231045' 'platform box' 'event cycles' 'period 63488' \
        'tstart 0' 'tsize 4096' 'cpuspeed 0' 'samples '
    printf '\0\0\0\0\0\0\0\0'
} > $minute/none.dcpi
for command in top 'top --by address' 'top -f json' objects lines tree traces 'peek main' 'list main' 'asm main' 'top --over 1m' timeline \
    'graph -f csv' 'flame -o x.svg' 'top -q' 'top --by process'; do
    echo "== $command"
    echo "== $command" >&2
    # shellcheck disable=SC2086 # words
    assay $command db --symbols none > out || echo "$?"
    sed -n 1,3p out
done
# Of stacks, likewise.
assay convert -q db -o none.pb.gz
for command in tree traces 'graph -f csv' 'treemap -o y.svg'; do
    echo "== $command"
    echo "== $command" >&2
    # shellcheck disable=SC2086 # words
    assay $command none.pb.gz > out
    sed -n 1,3p out
done
