assay formats callgrind
