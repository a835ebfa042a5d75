# What an option of yes or no is given is one of these, for writers and for readers.
for value in =maybe =Yes =nope; do
    assay convert "$FIXTURES/callgrind.out.demo" -o callgrind.out -O compress-pos$value || echo "status $?"
    assay top -I lines$value "$FIXTURES/demo.prof" || echo "status $?"
done
for value in '' = =yes =on =true =1 =no =off =false =0; do
    assay convert -q "$FIXTURES/callgrind.out.demo" -t callgrind -o - -O compress-pos$value | sed -n '/^fn=/,$p' |
        grep -c '^[-+*]' || true
    assay top -I lines$value -f csv "$FIXTURES/callgrind.out.demo" | wc -l
done
