/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All ids share one namespace, and each kind is written in its own way. */
#include "cmd/advice/explain.h"
#include "unit.h"

static unsigned int times(const char *id)
{
	unsigned int n = 0;

	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++)
			n += streq(explain_kinds[k].id(i), id);
	return n;
}

static bool has_form(const char *id, const char *kind)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	size_t word = strspn(id, letters);

	if (streq(kind, "tunable"))
		return id[word] == ':' || streq(id, "smt");
	if (streq(kind, "fact"))
		return id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789._")] == '\0';
	if (streq(kind, "column"))
		return id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
	return id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

int main(void)
{
	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++) {
			const char *id = explain_kinds[k].id(i);

			printf("# %s %s\n", explain_kinds[k].name, id);
			CHECK(times(id) == 1);
			CHECK(has_form(id, explain_kinds[k].name));
			CHECK(explain_kinds[k].title(i) && *explain_kinds[k].title(i));
		}
	return unit_done();
}
