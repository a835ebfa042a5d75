/* SPDX-License-Identifier: Apache-2.0 */
/* docs/formats/otlp.md, "Layout". */
#include "formats/otlp/otlp_schema.h"

enum { ONE = false, LIST = true };

/* Of message MSG the field ID from layout FIRST to LAST; one, or a list of them. SUB is the message
 * that it is, DATA of what is none. */
#define X(msg, id, kind, sub, first, last, number, many, name)                                 \
	{                                                                                      \
		AS_OTLP_##msg, AS_OTLP_F_##id, AS_OTLP_##kind, AS_OTLP_##sub, AS_OTLP_##first, \
			AS_OTLP_##last, number, many, name                                     \
	}

/* clang-format off */
const struct as_otlp_def as_otlp_def[] = {
	X(DATA, RESOURCE_PROFILES, MESSAGE, RES_PROFILES, 1_4, 1_10, 1, LIST, "resourceProfiles"),
	X(DATA, DICTIONARY, MESSAGE, DICT, 1_7, 1_10, 2, ONE, "dictionary"),
	X(DATA, MAPPINGS, MESSAGE, MAPPING, 1_6, 1_6, 2, LIST, "mappingTable"),
	X(DATA, LOCATIONS, MESSAGE, LOCATION, 1_6, 1_6, 3, LIST, "locationTable"),
	X(DATA, FUNCTIONS, MESSAGE, FUNCTION, 1_6, 1_6, 4, LIST, "functionTable"),
	X(DATA, LINKS, MESSAGE, LINK, 1_6, 1_6, 5, LIST, "linkTable"),
	X(DATA, STRINGS, TEXT, DATA, 1_6, 1_6, 6, LIST, "stringTable"),
	X(DATA, ATTRS, MESSAGE, KEYVALUE, 1_6, 1_6, 7, LIST, "attributeTable"),
	X(DATA, UNITS, MESSAGE, UNIT, 1_6, 1_6, 8, LIST, "attributeUnits"),

	X(DICT, MAPPINGS, MESSAGE, MAPPING, 1_7, 1_10, 1, LIST, "mappingTable"),
	X(DICT, LOCATIONS, MESSAGE, LOCATION, 1_7, 1_10, 2, LIST, "locationTable"),
	X(DICT, FUNCTIONS, MESSAGE, FUNCTION, 1_7, 1_10, 3, LIST, "functionTable"),
	X(DICT, LINKS, MESSAGE, LINK, 1_7, 1_10, 4, LIST, "linkTable"),
	X(DICT, STRINGS, TEXT, DATA, 1_7, 1_10, 5, LIST, "stringTable"),
	X(DICT, ATTRS, MESSAGE, ATTR, 1_8, 1_10, 6, LIST, "attributeTable"),
	X(DICT, ATTRS, MESSAGE, KEYVALUE, 1_7, 1_7, 6, LIST, "attributeTable"),
	X(DICT, UNITS, MESSAGE, UNIT, 1_7, 1_7, 7, LIST, "attributeUnits"),
	X(DICT, STACKS, MESSAGE, STACK, 1_8, 1_10, 7, LIST, "stackTable"),

	X(RES_PROFILES, RESOURCE, MESSAGE, RESOURCE, 1_4, 1_10, 1, ONE, "resource"),
	X(RES_PROFILES, SCOPES, MESSAGE, SCOPE_PROFILES, 1_4, 1_10, 2, LIST, "scopeProfiles"),
	X(RES_PROFILES, SCHEMA_URL, TEXT, DATA, 1_4, 1_10, 3, ONE, "schemaUrl"),

	X(RESOURCE, ATTRIBUTES, MESSAGE, KEYVALUE, 1_4, 1_10, 1, LIST, "attributes"),
	X(RESOURCE, DROPPED, NUMBER, DATA, 1_4, 1_10, 2, ONE, "droppedAttributesCount"),
	X(RESOURCE, IGNORED, MESSAGE, RESOURCE, 1_4, 1_10, 3, LIST, "entityRefs"),

	X(SCOPE_PROFILES, SCOPE, MESSAGE, SCOPE, 1_4, 1_10, 1, ONE, "scope"),
	X(SCOPE_PROFILES, PROFILES, MESSAGE, PROFILE, 1_4, 1_10, 2, LIST, "profiles"),
	X(SCOPE_PROFILES, SCHEMA_URL, TEXT, DATA, 1_4, 1_10, 3, ONE, "schemaUrl"),

	X(SCOPE, NAME, TEXT, DATA, 1_4, 1_10, 1, ONE, "name"),
	X(SCOPE, VERSION, TEXT, DATA, 1_4, 1_10, 2, ONE, "version"),
	X(SCOPE, ATTRIBUTES, MESSAGE, KEYVALUE, 1_4, 1_10, 3, LIST, "attributes"),
	X(SCOPE, DROPPED, NUMBER, DATA, 1_4, 1_10, 4, ONE, "droppedAttributesCount"),

	X(PROFILE, SAMPLE_TYPE, MESSAGE, TYPE, 1_4, 1_7, 1, LIST, "sampleType"),
	X(PROFILE, SAMPLE_TYPE, MESSAGE, TYPE, 1_8, 1_10, 1, ONE, "sampleType"),
	X(PROFILE, SAMPLES, MESSAGE, SAMPLE, 1_9, 1_10, 2, LIST, "samples"),
	X(PROFILE, SAMPLES, MESSAGE, SAMPLE, 1_4, 1_8, 2, LIST, "sample"),
	X(PROFILE, MAPPINGS, MESSAGE, MAPPING, 1_4, 1_4, 3, LIST, "mappingTable"),
	X(PROFILE, LOCATIONS, MESSAGE, LOCATION, 1_4, 1_4, 4, LIST, "locationTable"),
	X(PROFILE, FUNCTIONS, MESSAGE, FUNCTION, 1_4, 1_4, 6, LIST, "functionTable"),
	X(PROFILE, LINKS, MESSAGE, LINK, 1_4, 1_4, 9, LIST, "linkTable"),
	X(PROFILE, STRINGS, TEXT, DATA, 1_4, 1_4, 10, LIST, "stringTable"),
	X(PROFILE, ATTRS, MESSAGE, KEYVALUE, 1_4, 1_4, 7, LIST, "attributeTable"),
	X(PROFILE, UNITS, MESSAGE, UNIT, 1_4, 1_4, 8, LIST, "attributeUnits"),
	X(PROFILE, LOCATION_INDICES, NUMBER, DATA, 1_4, 1_4, 5, LIST, "locationIndices"),
	X(PROFILE, LOCATION_INDICES, NUMBER, DATA, 1_6, 1_7, 3, LIST, "locationIndices"),
	X(PROFILE, TIME, FIXED, DATA, 1_4, 1_4, 11, ONE, "timeNanos"),
	X(PROFILE, TIME, FIXED, DATA, 1_6, 1_7, 4, ONE, "timeNanos"),
	X(PROFILE, TIME, FIXED, DATA, 1_8, 1_10, 3, ONE, "timeUnixNano"),
	X(PROFILE, DURATION, NUMBER, DATA, 1_4, 1_4, 12, ONE, "durationNanos"),
	X(PROFILE, DURATION, NUMBER, DATA, 1_6, 1_7, 5, ONE, "durationNanos"),
	X(PROFILE, DURATION, NUMBER, DATA, 1_8, 1_10, 4, ONE, "durationNano"),
	X(PROFILE, PERIOD_TYPE, MESSAGE, TYPE, 1_4, 1_4, 13, ONE, "periodType"),
	X(PROFILE, PERIOD_TYPE, MESSAGE, TYPE, 1_6, 1_7, 6, ONE, "periodType"),
	X(PROFILE, PERIOD_TYPE, MESSAGE, TYPE, 1_8, 1_8, 5, ONE, "periodType"),
	X(PROFILE, PERIOD_TYPE, MESSAGE, TYPE, 1_9, 1_10, 5, ONE, "periodType"),
	X(PROFILE, PERIOD, NUMBER, DATA, 1_4, 1_4, 14, ONE, "period"),
	X(PROFILE, PERIOD, NUMBER, DATA, 1_6, 1_7, 7, ONE, "period"),
	X(PROFILE, PERIOD, NUMBER, DATA, 1_8, 1_8, 6, ONE, "period"),
	X(PROFILE, PERIOD, NUMBER, DATA, 1_9, 1_10, 6, ONE, "period"),
	X(PROFILE, COMMENTS, NUMBER, DATA, 1_4, 1_4, 15, LIST, "commentStrindices"),
	X(PROFILE, COMMENTS, NUMBER, DATA, 1_6, 1_7, 8, LIST, "commentStrindices"),
	X(PROFILE, COMMENTS, NUMBER, DATA, 1_8, 1_8, 7, LIST, "commentStrindices"),
	X(PROFILE, IGNORED, NUMBER, DATA, 1_4, 1_4, 16, ONE, "defaultSampleTypeIndex"),
	X(PROFILE, IGNORED, NUMBER, DATA, 1_6, 1_7, 9, ONE, "defaultSampleTypeIndex"),
	X(PROFILE, PROFILE_ID, HEX, DATA, 1_4, 1_4, 17, ONE, "profileId"),
	X(PROFILE, PROFILE_ID, HEX, DATA, 1_6, 1_7, 10, ONE, "profileId"),
	X(PROFILE, PROFILE_ID, HEX, DATA, 1_8, 1_8, 8, ONE, "profileId"),
	X(PROFILE, PROFILE_ID, HEX, DATA, 1_9, 1_10, 7, ONE, "profileId"),
	X(PROFILE, DROPPED, NUMBER, DATA, 1_4, 1_4, 19, ONE, "droppedAttributesCount"),
	X(PROFILE, DROPPED, NUMBER, DATA, 1_6, 1_7, 11, ONE, "droppedAttributesCount"),
	X(PROFILE, DROPPED, NUMBER, DATA, 1_8, 1_8, 9, ONE, "droppedAttributesCount"),
	X(PROFILE, DROPPED, NUMBER, DATA, 1_9, 1_10, 8, ONE, "droppedAttributesCount"),
	X(PROFILE, PAYLOAD_FORMAT, TEXT, DATA, 1_4, 1_4, 20, ONE, "originalPayloadFormat"),
	X(PROFILE, PAYLOAD_FORMAT, TEXT, DATA, 1_6, 1_7, 12, ONE, "originalPayloadFormat"),
	X(PROFILE, PAYLOAD_FORMAT, TEXT, DATA, 1_8, 1_8, 10, ONE, "originalPayloadFormat"),
	X(PROFILE, PAYLOAD_FORMAT, TEXT, DATA, 1_9, 1_10, 9, ONE, "originalPayloadFormat"),
	X(PROFILE, PAYLOAD, BYTES, DATA, 1_4, 1_4, 21, ONE, "originalPayload"),
	X(PROFILE, PAYLOAD, BYTES, DATA, 1_6, 1_7, 13, ONE, "originalPayload"),
	X(PROFILE, PAYLOAD, BYTES, DATA, 1_8, 1_8, 11, ONE, "originalPayload"),
	X(PROFILE, PAYLOAD, BYTES, DATA, 1_9, 1_10, 10, ONE, "originalPayload"),
	X(PROFILE, ATTR_INDICES, NUMBER, DATA, 1_4, 1_4, 22, LIST, "attributeIndices"),
	X(PROFILE, ATTR_INDICES, NUMBER, DATA, 1_6, 1_7, 14, LIST, "attributeIndices"),
	X(PROFILE, ATTR_INDICES, NUMBER, DATA, 1_8, 1_8, 12, LIST, "attributeIndices"),
	X(PROFILE, ATTR_INDICES, NUMBER, DATA, 1_9, 1_10, 11, LIST, "attributeIndices"),

	X(TYPE, TYPE, NUMBER, DATA, 1_4, 1_10, 1, ONE, "typeStrindex"),
	X(TYPE, UNIT, NUMBER, DATA, 1_4, 1_10, 2, ONE, "unitStrindex"),
	X(TYPE, IGNORED, NUMBER, DATA, 1_4, 1_9, 3, ONE, "aggregationTemporality"),

	X(SAMPLE, STACK_START, NUMBER, DATA, 1_4, 1_7, 1, ONE, "locationsStartIndex"),
	X(SAMPLE, STACK_LENGTH, NUMBER, DATA, 1_4, 1_7, 2, ONE, "locationsLength"),
	X(SAMPLE, STACK, NUMBER, DATA, 1_8, 1_10, 1, ONE, "stackIndex"),
	X(SAMPLE, ATTR_INDICES, NUMBER, DATA, 1_10, 1_10, 2, LIST, "attributeIndices"),
	X(SAMPLE, LINK, NUMBER, DATA, 1_10, 1_10, 3, ONE, "linkIndex"),
	X(SAMPLE, VALUES, NUMBER, DATA, 1_10, 1_10, 4, LIST, "values"),
	X(SAMPLE, TIMES, FIXED, DATA, 1_8, 1_10, 5, LIST, "timestampsUnixNano"),
	X(SAMPLE, VALUES, NUMBER, DATA, 1_8, 1_9, 2, LIST, "values"),
	X(SAMPLE, ATTR_INDICES, NUMBER, DATA, 1_8, 1_9, 3, LIST, "attributeIndices"),
	X(SAMPLE, LINK, NUMBER, DATA, 1_8, 1_9, 4, ONE, "linkIndex"),
	X(SAMPLE, VALUES, NUMBER, DATA, 1_4, 1_7, 3, LIST, "value"),
	X(SAMPLE, ATTR_INDICES, NUMBER, DATA, 1_4, 1_7, 4, LIST, "attributeIndices"),
	X(SAMPLE, LINK, NUMBER, DATA, 1_4, 1_7, 5, ONE, "linkIndex"),
	X(SAMPLE, TIMES, FIXED, DATA, 1_4, 1_7, 6, LIST, "timestampsUnixNano"),

	X(MAPPING, START, NUMBER, DATA, 1_4, 1_10, 1, ONE, "memoryStart"),
	X(MAPPING, LIMIT, NUMBER, DATA, 1_4, 1_10, 2, ONE, "memoryLimit"),
	X(MAPPING, OFFSET, NUMBER, DATA, 1_4, 1_10, 3, ONE, "fileOffset"),
	X(MAPPING, FILE, NUMBER, DATA, 1_4, 1_10, 4, ONE, "filenameStrindex"),
	X(MAPPING, ATTR_INDICES, NUMBER, DATA, 1_4, 1_10, 5, LIST, "attributeIndices"),
	X(MAPPING, HAS_FUNCS, NUMBER, DATA, 1_4, 1_10, 6, ONE, "hasFunctions"),
	X(MAPPING, HAS_FILES, NUMBER, DATA, 1_4, 1_10, 7, ONE, "hasFilenames"),
	X(MAPPING, HAS_LINES, NUMBER, DATA, 1_4, 1_10, 8, ONE, "hasLineNumbers"),
	X(MAPPING, HAS_INLINED, NUMBER, DATA, 1_4, 1_10, 9, ONE, "hasInlineFrames"),

	X(LOCATION, MAPPING, NUMBER, DATA, 1_4, 1_10, 1, ONE, "mappingIndex"),
	X(LOCATION, ADDRESS, NUMBER, DATA, 1_4, 1_10, 2, ONE, "address"),
	X(LOCATION, LINES, MESSAGE, LINE, 1_9, 1_10, 3, LIST, "lines"),
	X(LOCATION, LINES, MESSAGE, LINE, 1_4, 1_8, 3, LIST, "line"),
	X(LOCATION, FOLDED, NUMBER, DATA, 1_4, 1_8, 4, ONE, "isFolded"),
	X(LOCATION, ATTR_INDICES, NUMBER, DATA, 1_9, 1_10, 4, LIST, "attributeIndices"),
	X(LOCATION, ATTR_INDICES, NUMBER, DATA, 1_4, 1_10, 5, LIST, "attributeIndices"),

	X(LINE, FUNCTION, NUMBER, DATA, 1_4, 1_10, 1, ONE, "functionIndex"),
	X(LINE, LINE, NUMBER, DATA, 1_4, 1_10, 2, ONE, "line"),
	X(LINE, COLUMN, NUMBER, DATA, 1_4, 1_10, 3, ONE, "column"),

	X(FUNCTION, NAME, NUMBER, DATA, 1_4, 1_10, 1, ONE, "nameStrindex"),
	X(FUNCTION, SYSTEM, NUMBER, DATA, 1_4, 1_10, 2, ONE, "systemNameStrindex"),
	X(FUNCTION, FILE, NUMBER, DATA, 1_4, 1_10, 3, ONE, "filenameStrindex"),
	X(FUNCTION, LINE, NUMBER, DATA, 1_4, 1_10, 4, ONE, "startLine"),

	X(STACK, LOCATION_INDICES, NUMBER, DATA, 1_8, 1_10, 1, LIST, "locationIndices"),

	X(ATTR, KEY_INDEX, NUMBER, DATA, 1_8, 1_10, 1, ONE, "keyStrindex"),
	X(ATTR, KEY, TEXT, DATA, 1_4, 1_7, 1, ONE, "key"),
	X(ATTR, VALUE, MESSAGE, ANY, 1_4, 1_10, 2, ONE, "value"),
	X(ATTR, UNIT, NUMBER, DATA, 1_8, 1_10, 3, ONE, "unitStrindex"),

	X(KEYVALUE, KEY, TEXT, DATA, 1_4, 1_10, 1, ONE, "key"),
	X(KEYVALUE, VALUE, MESSAGE, ANY, 1_4, 1_10, 2, ONE, "value"),
	X(KEYVALUE, KEY_INDEX, NUMBER, DATA, 1_8, 1_10, 3, ONE, "keyStrindex"),

	X(ANY, STRING, TEXT, DATA, 1_4, 1_10, 1, ONE, "stringValue"),
	X(ANY, BOOL, NUMBER, DATA, 1_4, 1_10, 2, ONE, "boolValue"),
	X(ANY, INT, NUMBER, DATA, 1_4, 1_10, 3, ONE, "intValue"),
	X(ANY, DOUBLE, REAL, DATA, 1_4, 1_10, 4, ONE, "doubleValue"),
	X(ANY, ARRAY, MESSAGE, ARRAY, 1_4, 1_10, 5, ONE, "arrayValue"),
	X(ANY, KVLIST, MESSAGE, KVLIST, 1_4, 1_10, 6, ONE, "kvlistValue"),
	X(ANY, BYTES, BYTES, DATA, 1_4, 1_10, 7, ONE, "bytesValue"),
	X(ANY, STRING_INDEX, NUMBER, DATA, 1_4, 1_10, 8, ONE, "stringValueStrindex"),

	X(ARRAY, VALUE, MESSAGE, ANY, 1_4, 1_10, 1, LIST, "values"),

	X(KVLIST, ATTRIBUTES, MESSAGE, KEYVALUE, 1_4, 1_10, 1, LIST, "values"),

	X(LINK, TRACE, HEX, DATA, 1_4, 1_10, 1, ONE, "traceId"),
	X(LINK, SPAN, HEX, DATA, 1_4, 1_10, 2, ONE, "spanId"),

	X(UNIT, KEY_INDEX, NUMBER, DATA, 1_4, 1_10, 1, ONE, "attributeKeyStrindex"),
	X(UNIT, UNIT, NUMBER, DATA, 1_4, 1_10, 2, ONE, "unitStrindex"),
};
/* clang-format on */

const size_t as_otlp_n_defs = AS_ARRAY_LEN(as_otlp_def);

void as_otlp_numbers_of(struct as_otlp_numbers *n, enum as_otlp_layout layout)
{
	memset(n, 0, sizeof(*n));
	for (size_t i = 0; i < as_otlp_n_defs; i++) {
		const struct as_otlp_def *d = &as_otlp_def[i];

		if (d->first <= layout && layout <= d->last)
			n->row[d->msg][d->number] = (uint8_t)(i + 1);
	}
}

const struct as_otlp_def *as_otlp_named(enum as_otlp_msg msg, struct as_slice name)
{
	for (size_t i = 0; i < as_otlp_n_defs; i++)
		if (as_otlp_def[i].msg == msg && as_slice_is(name, as_otlp_def[i].name))
			return &as_otlp_def[i];
	return NULL;
}

const char *as_otlp_layout_text(enum as_otlp_layout layout)
{
	static const char *const text[AS_OTLP_LAYOUTS] = {
		"1.4 to 1.5", "1.6", "1.7", "1.8", "1.9", "1.10 or newer"};

	return text[layout];
}

const char *as_otlp_msg_text(enum as_otlp_msg msg)
{
	static const char *const text[AS_OTLP_MESSAGES] = {"message", "dictionary",
		"resource_profiles", "resource", "scope_profiles", "scope", "profile", "value type",
		"sample", "mapping", "location", "line", "function", "stack", "attribute",
		"attribute", "value", "array", "list of values", "link", "unit"};

	return text[msg];
}
