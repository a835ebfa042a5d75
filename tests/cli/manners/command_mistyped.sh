assay covnert a.prof -o b
