# Segments of addresses: a folder of DCPI profiles, one for each image.
day() {
    mkdir -p "db/box/$1"
    assay convert -q "$FIXTURES/demo.prof" -t dcpi -o "db/box/$1/$2-60.dcpi/"
}
day 202611231045 20261123T104500Z
day 202611231045 20261123T104600Z
assay objects db -q --symbols none
assay top db --by address --symbols none -q -n 2
# Without a list of images all files are looked at, with one only those of the images.
assay objects db --image demo --symbols none -q
for f in db/box/202611231045/*.dcpi; do
    (cd "$f" && for i in *.dcpi; do
        printf '%s\t%s\n' "$i" "$(sed -n '/^samples/q; s/^path *//p' "$i")"
    done > images)
done
assay objects db --image demo --symbols none
for f in db/box/202611231045/*.dcpi/*.dcpi; do
    case $f in
    *demo*) ;;
    *) rm "$f" ;;
    esac
done
assay objects db --image demo --symbols none -q
assay objects db --image nothing --symbols none || echo "$?"
assay objects db/box/202611231045/20261123T104500Z-60.dcpi --image demo -q --symbols none
# Of files --image is what --object is.
assay top "$FIXTURES/demo.prof" --image demo --symbols none -q -n 1
assay top "$FIXTURES/demo.prof" --object demo --symbols none -q -n 1
rm db/box/202611231045/*.dcpi/images
# What segments say of themselves is told of all of them, as that of stacks is.
for f in db/box/202611231045/*.dcpi; do
    printf 'assay: samples counted: 50\nassay: samples stored: 40\nassay: samples lost: 10\n' > "$f/facts"
done
assay info db --symbols none | sed -n '/^duration/p; /samples [a-z]*: /p'
assay show db -q --symbols none | grep lost
rm db/box/202611231045/20261123T104600Z-60.dcpi/facts
assay info db --symbols none | sed -n '/^duration/p; /samples [a-z]*: /p'
# As DCPI profiles again they have the same samples; what all of them say together is told to be lost.
assay convert db -t dcpi -o again/
assay top again/* --by address --symbols none -q -n 3 > one
assay top db --by address --symbols none -q -n 3 > other
cmp one other
assay merge db -q -t dcpi -o merged/
diff -r again merged
assay check again/* | grep -v ': ok' || echo ok
