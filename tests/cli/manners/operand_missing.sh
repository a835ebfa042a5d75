assay merge -o x.prof
