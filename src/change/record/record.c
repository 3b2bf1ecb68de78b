/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file writes and reads records whole, and knows nothing of what is in them. */
#include "change/record/record.h"

#include <errno.h>
#include <time.h>

#include "base/store.h"
#include "version.h"

/* Record text is compared byte for byte: one way to print it. */
#define CANONICAL (JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17))

static char *read_one(struct root *root, const char *path)
{
	char *text = NULL;

	return root_read_string(root, &text, "%s", path) < 0 ? NULL : text;
}

json_t *record_new(struct root *root, const char *kind)
{
	_cleanup_free_ char *boot_id = read_one(root, "proc/sys/kernel/random/boot_id");
	_cleanup_free_ char *kernel = read_one(root, "proc/sys/kernel/osrelease");
	time_t now = time(NULL);
	char text[32];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return json_pack("{s:s, s:i, s:s, s:s, s:s?, s:s?}", "lpartune", LPARTUNE_VERSION, "format",
			 RECORD_FORMAT, "kind", kind, "time", text, "boot_id", boot_id, "kernel",
			 kernel);
}

/* FNV-1a, 64 bits: against damage, not against malice. */
static void checksum(const char *text, char *hex, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	snprintf(hex, size, "%016llx", (unsigned long long)hash);
}

int record_save(int dirfd, const char *name, json_t *record, mode_t mode)
{
	_cleanup_free_ char *plain = NULL, *sealed = NULL;
	char hex[20];

	json_object_del(record, "checksum");
	plain = json_dumps(record, CANONICAL);
	if (!plain)
		return -ENOMEM;
	checksum(plain, hex, sizeof(hex));
	if (json_object_set_new(record, "checksum", json_string(hex)) < 0)
		return -ENOMEM;
	sealed = json_dumps(record, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
	if (!sealed)
		return -ENOMEM;
	return store_write_at(dirfd, name, sealed, strlen(sealed), mode);
}

static int check(json_t *record)
{
	_cleanup_free_ char *claimed = NULL, *plain = NULL;
	const char *sum = json_string_value(json_object_get(record, "checksum"));
	char hex[20];

	if (!json_is_object(record) || !sum)
		return -EBADMSG;
	if (json_integer_value(json_object_get(record, "format")) > RECORD_FORMAT)
		return -EPROTONOSUPPORT;
	claimed = strdup(sum);
	json_object_del(record, "checksum");
	plain = json_dumps(record, CANONICAL);
	if (!claimed || !plain)
		return -ENOMEM;
	checksum(plain, hex, sizeof(hex));
	return streq(hex, claimed) ? 0 : -EBADMSG;
}

int record_load(int dirfd, const char *name, json_t **ret)
{
	_cleanup_free_ char *text = NULL;
	json_t *record;
	size_t len;
	int r = store_read_at(dirfd, name, &text, &len);

	if (r < 0)
		return r;
	record = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	r = check(record);
	if (r < 0) {
		json_decref(record);
		return r;
	}
	*ret = record;
	return 0;
}

bool record_is_of_this_boot(struct root *root, const json_t *record)
{
	_cleanup_free_ char *boot_id = read_one(root, "proc/sys/kernel/random/boot_id");
	const char *then = json_string_value(json_object_get(record, "boot_id"));

	return !boot_id || !then || streq(boot_id, then);
}
