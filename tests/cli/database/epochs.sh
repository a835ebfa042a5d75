# What is asked of a database is the sum of its minutes, kept beside them.
. "$(dirname "$0")/database.inc"
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231045/20261123T104600Z 2
minute db/box/202611231050/20261123T105000Z 3
minute db/box/202611231050-2/20261123T105000Z 4
minute db/box/202611240000/20261124T000000Z 5
minute db/box/202611240000/20261124T000100Z 6
minute db/hut/202611231045/20261123T104500Z 7
box=db/box
same $box -- $box/202611240000/*.sums
same $box --epoch latest -- $box/202611240000/*.sums
same $box --epoch all -- $box/*/*.sums
same $box --epoch 202611231045 -- $box/202611231045/*.sums
same $box/202611231045 -- $box/202611231045/*.sums
same $box --epoch 202611231045..202611231050 -- $box/202611231045/*.sums $box/202611231050/*.sums
same $box --epoch 202611231050-2.. -- $box/202611231050-2/*.sums $box/202611240000/*.sums
same $box --epoch ..202611231050 -- $box/202611231045/*.sums $box/202611231050/*.sums
same db -- $box/202611240000/*.sums db/hut/*/*.sums
same db --host hut -- db/hut/*/*.sums
same db/hut/ -- db/hut/*/*.sums
same db: --db db --epoch all -- db/*/*/*.sums
same db:box/202611231045 --db db -- $box/202611231045/*.sums
ASSAY_DB=$PWD/db same db:hut -- db/hut/*/*.sums
XDG_STATE_HOME=$PWD assay top db: --db nowhere || echo "$?"
# By the time that files are of.
same $box --since 2026-11-23T10:46 --until 2026-11-23T10:50 -- $box/202611231045/20261123T1046*.sums
same $box --since 2026-11-24 -- $box/202611240000/*.sums
same $box --until 202611231046 -- $box/202611231045/20261123T1045*.sums
same $box --epoch 202611231045 --since 2026-11-23T10:46:00Z -- $box/202611231045/20261123T1046*.sums
same $box --epoch 202611231045 --since 99999d -- $box/202611231045/*.sums
# What became one file is read instead of its parts, also while they are there.
assay merge $box/202611231045/*.pb.gz -o hour.pb.gz
mv hour.pb.gz $box/202611231045/20261123T104500Z-120.pb.gz
same $box --epoch 202611231045 -- $box/202611231045/*.sums
rm $box/202611231045/20261123T10450*-60.pb.gz
same $box --epoch 202611231045 -- $box/202611231045/*.sums
