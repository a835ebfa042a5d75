# A run that was too short for a sample says so: it is no profile that is just fine.
python3 -c 'import struct,sys; sys.stdout.buffer.write(struct.pack("<8Q", 0, 3, 0, 10000, 0, 0, 1, 0))' > short.prof
assay show short.prof | grep -E '^(events|note)'
