assay konvert a.prof -o b
