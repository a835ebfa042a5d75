assay cache --trim 1M --clear
