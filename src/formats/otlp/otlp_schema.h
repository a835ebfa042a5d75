/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages and fields of OpenTelemetry's profiles. Their names are those of JSON, their numbers
 * those of protocol buffers, which have changed from version to version under one package name.
 * Private to src/formats/otlp.
 */
#ifndef AS_FORMATS_OTLP_OTLP_SCHEMA_H
#define AS_FORMATS_OTLP_OTLP_SCHEMA_H

#include "base/slice.h"

/* By the first version of opentelemetry-proto that has it. */
enum as_otlp_layout {
	AS_OTLP_1_4, /* tables in each profile; to 1.5 */
	AS_OTLP_1_6, /* tables in the message */
	AS_OTLP_1_7, /* tables in a dictionary */
	AS_OTLP_1_8, /* a table of stacks; row 0 of each table is none */
	AS_OTLP_1_9,
	AS_OTLP_1_10, /* samples have other numbers */
	AS_OTLP_LAYOUTS
};

enum as_otlp_msg {
	AS_OTLP_DATA,
	AS_OTLP_DICT,
	AS_OTLP_RES_PROFILES,
	AS_OTLP_RESOURCE,
	AS_OTLP_SCOPE_PROFILES,
	AS_OTLP_SCOPE,
	AS_OTLP_PROFILE,
	AS_OTLP_TYPE,
	AS_OTLP_SAMPLE,
	AS_OTLP_MAPPING,
	AS_OTLP_LOCATION,
	AS_OTLP_LINE,
	AS_OTLP_FUNCTION,
	AS_OTLP_STACK,
	AS_OTLP_ATTR, /* KeyValueAndUnit: of the table */
	AS_OTLP_KEYVALUE,
	AS_OTLP_ANY,
	AS_OTLP_ARRAY,
	AS_OTLP_KVLIST,
	AS_OTLP_LINK,
	AS_OTLP_UNIT,
	AS_OTLP_MESSAGES
};

/* Fields, whatever message they are of. */
enum as_otlp_id {
	AS_OTLP_F_NONE,
	/* of the data and of its pieces */
	AS_OTLP_F_RESOURCE_PROFILES,
	AS_OTLP_F_DICTIONARY,
	AS_OTLP_F_RESOURCE,
	AS_OTLP_F_SCOPES,
	AS_OTLP_F_SCHEMA_URL,
	AS_OTLP_F_SCOPE,
	AS_OTLP_F_PROFILES,
	AS_OTLP_F_ATTRIBUTES,
	AS_OTLP_F_VERSION,
	AS_OTLP_F_IGNORED, /* known, and of no use */
	/* tables */
	AS_OTLP_F_MAPPINGS,
	AS_OTLP_F_LOCATIONS,
	AS_OTLP_F_FUNCTIONS,
	AS_OTLP_F_LINKS,
	AS_OTLP_F_STRINGS,
	AS_OTLP_F_ATTRS,
	AS_OTLP_F_UNITS,
	AS_OTLP_F_STACKS,
	/* of profiles and samples */
	AS_OTLP_F_SAMPLE_TYPE,
	AS_OTLP_F_SAMPLES,
	AS_OTLP_F_TIME,
	AS_OTLP_F_DURATION,
	AS_OTLP_F_PERIOD_TYPE,
	AS_OTLP_F_PERIOD,
	AS_OTLP_F_COMMENTS,
	AS_OTLP_F_PROFILE_ID,
	AS_OTLP_F_DROPPED,
	AS_OTLP_F_PAYLOAD_FORMAT,
	AS_OTLP_F_PAYLOAD,
	AS_OTLP_F_ATTR_INDICES,
	AS_OTLP_F_TYPE,
	AS_OTLP_F_STACK,
	AS_OTLP_F_STACK_START,
	AS_OTLP_F_STACK_LENGTH,
	AS_OTLP_F_VALUES,
	AS_OTLP_F_LINK,
	AS_OTLP_F_TIMES,
	/* of rows */
	AS_OTLP_F_START,
	AS_OTLP_F_LIMIT,
	AS_OTLP_F_OFFSET,
	AS_OTLP_F_FILE,
	AS_OTLP_F_HAS_FUNCS,
	AS_OTLP_F_HAS_FILES,
	AS_OTLP_F_HAS_LINES,
	AS_OTLP_F_HAS_INLINED,
	AS_OTLP_F_MAPPING,
	AS_OTLP_F_ADDRESS,
	AS_OTLP_F_LINES,
	AS_OTLP_F_FOLDED,
	AS_OTLP_F_FUNCTION,
	AS_OTLP_F_LINE,
	AS_OTLP_F_COLUMN,
	AS_OTLP_F_NAME,
	AS_OTLP_F_SYSTEM,
	AS_OTLP_F_LOCATION_INDICES,
	AS_OTLP_F_KEY,
	AS_OTLP_F_KEY_INDEX,
	AS_OTLP_F_VALUE,
	AS_OTLP_F_UNIT,
	AS_OTLP_F_TRACE,
	AS_OTLP_F_SPAN,
	/* of values */
	AS_OTLP_F_STRING,
	AS_OTLP_F_BOOL,
	AS_OTLP_F_INT,
	AS_OTLP_F_DOUBLE,
	AS_OTLP_F_ARRAY,
	AS_OTLP_F_KVLIST,
	AS_OTLP_F_BYTES,
	AS_OTLP_F_STRING_INDEX,
	AS_OTLP_FIELDS
};

/* How a field is written. */
enum as_otlp_kind {
	AS_OTLP_NUMBER, /* varint */
	AS_OTLP_FIXED,  /* 64 bits, unsigned; older versions have a varint */
	AS_OTLP_REAL,
	AS_OTLP_TEXT,
	AS_OTLP_HEX,   /* bytes that JSON has in hexadecimal */
	AS_OTLP_BYTES, /* bytes that JSON has in base64 */
	AS_OTLP_MESSAGE,
};

struct as_otlp_def {
	uint8_t msg, id, kind, sub; /* SUB: the message that it is */
	uint8_t first, last;        /* layouts */
	uint8_t number;
	bool list;
	const char *name;
};

extern const struct as_otlp_def as_otlp_def[]; /* by message */
extern const size_t as_otlp_n_defs;

enum { AS_OTLP_NUMBERS = 24 }; /* of fields, and one more */

/* Rows of as_otlp_def + 1 by message and number; 0 = there is no such field. */
struct as_otlp_numbers {
	uint8_t row[AS_OTLP_MESSAGES][AS_OTLP_NUMBERS];
};
void as_otlp_numbers_of(struct as_otlp_numbers *n, enum as_otlp_layout layout);

/* The field of MSG that JSON calls NAME; NULL if there is none. */
const struct as_otlp_def *as_otlp_named(enum as_otlp_msg msg, struct as_slice name);
/* "1.10 or newer" */
const char *as_otlp_layout_text(enum as_otlp_layout layout);
/* "ScopeProfiles" */
const char *as_otlp_msg_text(enum as_otlp_msg msg);

#endif
