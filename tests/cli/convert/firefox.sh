# What the Firefox Profiler shows: a thread for each event; sums have times that are made up, and are not read as times.
printf 'main;parse 30\nmain;write (a.py:5) 5\n' > x.folded
assay convert x.folded -t firefox -o x.json
cat x.json
assay convert x.json -t folded -o -
assay convert x.folded -t firefox -o x.json.gz
assay top x.json.gz
