ASSAY_CACHE_SIZE=lots assay cache
