/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads and writes the guest's memory; nothing else does. */
#include "guest.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/util.h"

#define KERNEL_BASE 0xc000000000000000ULL
#define EYE_CATCHER 0xd397d781U

enum {
	LPPACA_DESC = 0x000,
	LPPACA_SIZE = 0x004,
	LPPACA_OLD_STATUS = 0x009,
	LPPACA_DISPERSION_COUNT = 0x104,
	LPPACA_ENQUEUE_DISPATCH_TB = 0x158,
	LPPACA_READY_ENQUEUE_TB = 0x160,
	LPPACA_BYTES = 0x280,
	SHARED_PROCESSOR = 0x02,
};

int guest_map(struct guest *guest, const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;
	void *memory;

	if (guest->node_count == GUEST_MAX_NODES)
		return -E2BIG;
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	memory = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	guest->nodes[guest->node_count].memory = memory;
	guest->nodes[guest->node_count++].size = (uint64_t)st.st_size;
	return 0;
}

void guest_unmap(struct guest *guest)
{
	while (guest->node_count > 0) {
		guest->node_count--;
		(void)munmap(guest->nodes[guest->node_count].memory,
			     (size_t)guest->nodes[guest->node_count].size);
	}
}

int guest_read_symbols(struct guest *guest, const char *path)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	uint64_t address;
	char name[32];

	if (!file)
		return -errno;
	while (fscanf(file, "%" SCNx64 " %31s", &address, name) == 2) {
		if (streq(name, "paca_ptrs"))
			guest->paca_ptrs = address;
		else if (streq(name, "vpa_init"))
			guest->vpa_init = address;
	}
	return guest->paca_ptrs && guest->vpa_init ? 0 : -ENOENT;
}

/* Where `size` bytes at a kernel (linear) address are; NULL if that is not all RAM. */
static uint8_t *at(const struct guest *guest, uint64_t kernel_address, uint64_t size)
{
	uint64_t offset = kernel_address - KERNEL_BASE;

	if (kernel_address < KERNEL_BASE)
		return NULL;
	for (unsigned int i = 0; i < guest->node_count; i++) {
		if (offset < guest->nodes[i].size)
			return guest->nodes[i].size - offset < size
				       ? NULL
				       : guest->nodes[i].memory + offset;
		offset -= guest->nodes[i].size;
	}
	return NULL;
}

/* A pointer in the guest's memory; 0 if that is not RAM. The kernels are little-endian. */
static uint64_t pointer_at(const struct guest *guest, uint64_t kernel_address)
{
	uint8_t *p = at(guest, kernel_address, sizeof(uint64_t));
	uint64_t value;

	if (!p)
		return 0;
	memcpy(&value, p, sizeof(value));
	return le64toh(value);
}

/* lppaca_ptr is the first member of a paca on every kernel that runs on pseries. */
uint8_t *guest_lppaca(const struct guest *guest, unsigned int cpu)
{
	uint64_t pacas = pointer_at(guest, guest->paca_ptrs);
	uint64_t paca = pointer_at(guest, pacas + 8ULL * cpu);
	uint8_t *lppaca = at(guest, pointer_at(guest, paca), LPPACA_BYTES);
	uint32_t desc;
	uint16_t size;

	if (!lppaca)
		return NULL;
	memcpy(&desc, lppaca + LPPACA_DESC, sizeof(desc));
	memcpy(&size, lppaca + LPPACA_SIZE, sizeof(size));
	if (be32toh(desc) != EYE_CATCHER || be16toh(size) < LPPACA_BYTES)
		return NULL;
	return lppaca;
}

static void add_be64(uint8_t *p, uint64_t amount)
{
	uint64_t *counter = (void *)p;

	if (amount)
		__atomic_store_n(counter, htobe64(be64toh(*counter) + amount), __ATOMIC_RELEASE);
}

static void add_be32(uint8_t *p, uint32_t amount)
{
	uint32_t *counter = (void *)p;

	if (amount)
		__atomic_store_n(counter, htobe32(be32toh(*counter) + amount), __ATOMIC_RELEASE);
}

void guest_add_waiting(uint8_t *lppaca, const struct guest_waiting *waiting)
{
	add_be64(lppaca + LPPACA_ENQUEUE_DISPATCH_TB, waiting->dispatch_ticks);
	add_be64(lppaca + LPPACA_READY_ENQUEUE_TB, waiting->entitlement_ticks);
	add_be32(lppaca + LPPACA_DISPERSION_COUNT, waiting->dispersions);
}

bool guest_clear_shared(const struct guest *guest)
{
	bool any = false;

	for (unsigned int cpu = 0; cpu < guest->cpus; cpu++) {
		uint8_t *lppaca = guest_lppaca(guest, cpu);

		if (lppaca && lppaca[LPPACA_OLD_STATUS] & SHARED_PROCESSOR) {
			lppaca[LPPACA_OLD_STATUS] &= (uint8_t)~SHARED_PROCESSOR;
			any = true;
		}
	}
	return any;
}
