# Code without a name is chosen by what tables call it: one address, in samples and in places.
if assay --version | grep -q "no re2"; then echo "no re2"; exit 77; fi
export ASSAY_SYMBOLS=none
demo=$FIXTURES/demo.prof
assay top "$demo" -n 3
assay top "$demo" --focus 'fn:^\[demo\+0x1218\]$' -n 3
assay top "$demo" --ignore 'fn:^\[demo\+0x1218\]$' -n 2
assay top "$demo" --hide 'fn:^\[demo\+0x12.*\]$' -n 2
assay convert -q "$demo" -t dcpi -o db/
assay top db/*demo* --focus '\+0x1218\]$'
# pprof has no such names.
assay top "$demo" --focus 'fn:^\[demo\+0x1218\]$' --compat=pprof
