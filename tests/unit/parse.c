/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers, lines and sets of ids: what is accepted, and above all what is not. */
#include <errno.h>
#include <stdint.h>

#include "base/idset.h"
#include "base/parse.h"
#include "unit.h"

static void test_integers(void)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
	} rows[] = {
		{ "0", 0, 0 },
		{ " 42\n", 0, 42 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "1 2", -EINVAL, 0 },
		{ "12df", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};
	int64_t i = 7;

	for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
		uint64_t value = 99;

		CHECK(parse_u64(span_of(rows[k].text), &value) == rows[k].r);
		CHECK(value == (rows[k].r ? 99 : rows[k].value));
	}
	CHECK(parse_i64(span_of("-9223372036854775808"), &i) == 0 && i == INT64_MIN);
	CHECK(parse_i64(span_of("9223372036854775808"), &i) == -ERANGE && i == INT64_MIN);
	CHECK(parse_i64(span_of("-"), &i) == -EINVAL);
}

static void test_hex_real_bool(void)
{
	uint64_t u = 0;
	double d = 0;
	bool b = false;

	CHECK(parse_hex64(span_of("3a789563b\n"), &u) == 0 && u == 0x3a789563bULL);
	CHECK(parse_hex64(span_of("0xC8"), &u) == 0 && u == 200);
	CHECK(parse_hex64(span_of("0x"), &u) == -EINVAL);
	CHECK(parse_hex64(span_of("11111111111111111"), &u) == -ERANGE);
	CHECK(parse_real(span_of("0.1"), &d) == 0 && d > 0.09 && d < 0.11);
	CHECK(parse_real(span_of("nan"), &d) == -EINVAL &&
	      parse_real(span_of("inf"), &d) == -EINVAL);
	CHECK(parse_real(span_of("0x1p3"), &d) == -EINVAL &&
	      parse_real(span_of("1e999"), &d) == -ERANGE);
	CHECK(parse_real(span_of("1.2.3"), &d) == -EINVAL &&
	      parse_real(span_of("e"), &d) == -EINVAL);
	CHECK(parse_bool(span_of("Y\n"), &b) == 0 && b);
	CHECK(parse_bool(span_of("off"), &b) == 0 && !b);
	CHECK(parse_bool(span_of("2"), &b) == -EINVAL && parse_bool(span_of(""), &b) == -EINVAL);
}

static void check_utf8(const char *text, size_t len, const char *wanted)
{
	char *clean = span_dup_utf8((struct span) { text, len });

	CHECK(clean && strcmp(clean, wanted) == 0);
	free(clean);
}

static void test_spans(void)
{
	struct span rest = { "a=1\n\nb", 6 }, line, key, value;
	int lines = 0;

	while (span_line(&rest, &line))
		lines++;
	CHECK(lines == 3 && span_is(line, "b"));
	CHECK(span_split(span_of(" k = v=w "), '=', &key, &value));
	CHECK(span_is(key, "k") && span_is(value, "v=w"));
	CHECK(!span_split(span_of("=v"), '=', &key, &value));
	CHECK(!span_split(span_of("none"), '=', &key, &value));
	check_utf8("caf\xc3\xa9", 5, "caf\xc3\xa9");
	check_utf8("a\xff\xfe\x01z", 5, "a???z");
	check_utf8("\xc0\xaf\xed\xa0\x80", 5, "?????"); /* overlong; a surrogate */
	check_utf8("\xf0\x9f\x98\x80\xf0\x9f", 6, "\xf0\x9f\x98\x80??");
}

static void check_list(const char *text, int r, const char *wanted)
{
	struct idset set = { 0 };
	char *formatted;

	CHECK(idset_parse_list(text, &set) == r);
	formatted = idset_format(&set);
	CHECK(formatted && strcmp(formatted, wanted) == 0);
	free(formatted);
	idset_done(&set);
}

static void test_sets(void)
{
	struct idset a = { 0 }, b = { 0 };

	check_list("0-3,8,16-17\n", 0, "0-3,8,16-17");
	check_list("\n", 0, "");
	check_list("", 0, "");
	check_list("2047", 0, "2047");
	check_list("0,", 0, "0");
	check_list("3-1", -EINVAL, "");
	check_list("0-", -EINVAL, "");
	check_list("0;1", -EINVAL, "");
	check_list("-1", -EINVAL, "");
	check_list("0-99999999999", -ERANGE, "");
	CHECK(idset_parse_mask("00000000,0000ff0f\n", &a) == 0);
	CHECK(idset_count(&a) == 12 && idset_has(&a, 0) && !idset_has(&a, 4) && idset_has(&a, 15));
	CHECK(idset_parse_mask("1,00000000", &b) == 0 && idset_count(&b) == 1 && idset_has(&b, 32));
	CHECK(!idset_equal(&a, &b) && idset_count_common(&a, &b) == 0);
	CHECK(idset_parse_mask("xyz", &b) == -EINVAL && idset_has(&b, 32));
	CHECK(idset_next(&b, 33) == -1 && idset_next(&b, 32) == 32 && idset_next(&b, 9999) == -1);
	CHECK(idset_add(&b, IDSET_MAX) == -ERANGE);
	idset_done(&a);
	idset_done(&b);
}

int main(void)
{
	test_integers();
	test_hex_real_bool();
	test_spans();
	test_sets();
	return unit_done();
}
