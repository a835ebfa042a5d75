# What is not there is told, with what there is.
. "$(dirname "$0")/database.inc"
minute db/box/202611231045/20261123T104500Z 1
minute db/box/202611231050/20261123T105000Z 2
mkdir -p empty/box/202611231045 nothing
status() {
    "$@" > /dev/null || echo "$?"
}
status assay top db --epoch 202611240000
status assay top db --epoch yesterday
status assay top db --epoch 202611231050..202611231045
status assay top db --epoch ''
status assay top db --host barn
status assay top db --since 2026-11-24
status assay top db --since tomorrow
status assay top db --since 2026-13-01
status assay top db --since 10:45 --until 10:44
status assay diff db --base epoch=yesterday
status assay diff db --base since=tomorrow
status assay diff db --base since=10:45,until=10:44
# All of a file that is no database would be taken for what was chosen of it.
cp db/box/202611231045/20261123T104500Z-60.pb.gz plain.pb.gz
status assay top plain.pb.gz --since 2h
status assay top - --until 2h < plain.pb.gz
status assay peek main plain.pb.gz --epoch latest
status assay flame plain.pb.gz --host box
status assay diff plain.pb.gz --base since=2h
assay flame -q plain.pb.gz --diff db --epoch all -o picture.svg
status assay daemon --for 0s -o one.pb.gz
status timeout 20 assay daemon --for 0s --db none
status assay top empty
status assay top empty/box/202611231045
status assay top nothing
status assay top db: --db nowhere
status assay top db:barn --db db
# Of a damaged segment nothing is read, and it is told; the rest is the answer.
printf 'no profile' > db/box/202611231045/20261123T104600Z-60.pb.gz
assay top db --epoch 202611231045 -f csv | table
assay check db --epoch all || echo "$?"
