#include "formats/pprof/pprof.h"
enum as_code as_pb_write_file(struct as_wr *wr, const struct as_profile *prof){(void)wr;(void)prof;return AS_E_UNSUPPORTED;}
