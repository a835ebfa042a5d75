# A column for each event that is named, and each once: it told of 4294967295 lost events.
printf 'main;work 3\n' > s.folded
assay convert s.folded -t folded -O event=samples,samples -o -
