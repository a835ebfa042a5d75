# Bad lines are told with their numbers; strict refuses; columns can be told.
printf 'main;a 1\nno count\nmain;b 2.5\n' > x.folded
assay check x.folded || echo "status $?"
assay top x.folded -n 1
assay convert --strict x.folded -t dump -o - || echo "status $?"
assay convert -I scale=10 x.folded -t folded -o - -q
printf 'main;a 1 2\nmain;b 3 4\n' > two
assay top --from folded two
assay convert -I columns=1 two -t folded -o -
assay convert -I columns=7 two -t folded -o - || echo "status $?"
assay convert -O event=new two -t folded -o -
