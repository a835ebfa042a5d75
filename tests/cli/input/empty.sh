: > empty
assay top empty
