# A database is a FILE for every command.
. "$(dirname "$0")/database.inc"
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231045/20261123T104600Z 2
minute db/box/202611231050/20261123T105000Z 3
e=db/box/202611231045
assay merge $e/*.pb.gz -o both.pb.gz
for command in top lines tree 'peek send' traces 'tags -f csv' cycles files objects; do
    # shellcheck disable=SC2086 # words
    assay $command $e > one 2> one.err
    # shellcheck disable=SC2086
    assay $command both.pb.gz > other 2> other.err
    cmp one other && cmp one.err other.err
done
for to in out.folded out.dump again.pb.gz; do
    assay convert -q $e -o "one.$to"
    assay convert -q both.pb.gz -o "other.$to"
done
cmp one.out.folded other.out.folded
assay merge -q $e -o one.pb.gz
assay top one.pb.gz > one && assay top both.pb.gz > other && cmp one other
assay filter $e --process sh -o one.pb.gz -y && assay filter both.pb.gz --process sh -o other.pb.gz -y
assay top one.pb.gz > one && assay top other.pb.gz > other && cmp one other
assay show $e -q | sed -n 's/^.*pprof/pprof/p'
assay info db | sed -n '/^file/p; /^events/p; /^parts/p'
assay info db --epoch all | sed -n '/^file/p; /^events/p'
assay check db --epoch all
assay flame $e -o one.svg && grep -c send one.svg
# Two epochs, three ways.
assay diff $e db/box/202611231050 | tail -n +3 > one
assay diff db --base epoch=202611231045 | tail -n +3 > other
cmp one other
assay diff db --epoch 202611231050 --base host=box,epoch=202611231045 | head -n 2
assay diff db --base epoch=202611231045 --fail-if 'total(cpu) > -99%' > /dev/null || echo "$?"
assay diff db --base epoch:1 || echo "$?"
assay diff db db --base epoch=202611231045 || echo "$?"
assay diff db || echo "$?"
