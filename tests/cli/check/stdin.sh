. "$(dirname "$0")/../samples"
broken | assay check - | grep -c '^<stdin>:[46]: error: '
