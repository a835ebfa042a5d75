assay help topp
