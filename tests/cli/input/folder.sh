mkdir folder
assay top folder
