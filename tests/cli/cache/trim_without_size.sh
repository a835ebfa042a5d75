assay cache --trim much
