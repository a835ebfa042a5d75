# What filter writes of Callgrind's contexts is what convert writes, where everything stays.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
in=$FIXTURES/callgrind.out.demo.callers
for word in '' '--contexts=keep' '--contexts=paths'; do
    assay convert "$in" $word -q -t folded --estimate-paths -o converted
    assay filter "$in" $word --focus . -q -t folded --estimate-paths -o filtered
    cmp converted filtered && echo "${word:-folded}: alike, $(grep -c "'" filtered) lines with a context"
    rm converted filtered
done
