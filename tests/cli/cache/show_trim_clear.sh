# A cache with three files of ours and one of somebody else.
assay cache
dir=.cache/assay
mkdir -p $dir
printf %1000s x > $dir/aa-0.names
printf %1000s x > $dir/bb-0.names
printf %5000s x > $dir/cc-0.names
echo mine > $dir/notes.txt
touch -d '2 days ago' $dir/bb-0.names
touch -d '1 day ago' $dir/aa-0.names
assay cache
assay cache --trim 6K
ls $dir
ASSAY_CACHE_SIZE=2G assay cache -f json
assay cache --clear -f csv
ls $dir
XDG_CACHE_HOME=/nowhere/to/be/found assay cache -f csv
env -u HOME XDG_CACHE_HOME=relative assay cache -f json
