assay top nothing.prof
