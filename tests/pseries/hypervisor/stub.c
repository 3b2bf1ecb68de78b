/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file speaks the few words of the GDB remote protocol that one breakpoint needs. Rule: it is
 * used once, at boot, before anything is measured.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>

#include "base/util.h"
#include "qemu.h"

#define BOOT_TIMEOUT_MS 60000
#define LR_OFFSET (2 * (34 * 8 + 4)) /* in hex digits: r0-r31, pc, msr of 8 bytes, cr of 4 */
#define LOCAL_ENTRY 8		     /* ELFv2: calls within the kernel skip the TOC setup */

static int send_packet(int stub, const char *data)
{
	char packet[64];
	unsigned int sum = 0;
	int length;

	for (const char *p = data; *p; p++)
		sum += (unsigned char)*p;
	length = snprintf(packet, sizeof(packet), "$%s#%02x", data, sum & 255);
	return write(stub, packet, (size_t)length) == length ? 0 : -EPIPE;
}

/* Reads one packet's data, cut to the buffer, and acknowledges it. */
static int receive_packet(int stub, char *data, size_t size)
{
	struct pollfd wait = { .fd = stub, .events = POLLIN };
	bool inside = false;
	size_t used = 0;
	char c = 0;

	while (!inside || c != '#') {
		if (poll(&wait, 1, BOOT_TIMEOUT_MS) <= 0)
			return -ETIMEDOUT;
		if (read(stub, &c, 1) != 1)
			return -EPIPE;
		if (inside && c != '#' && used + 1 < size)
			data[used++] = c;
		inside |= c == '$';
	}
	data[used] = '\0';
	/* The checksum, on a local socket, is only read past. */
	for (int i = 0; i < 2; i++)
		if (read(stub, &c, 1) != 1)
			return -EPIPE;
	return write(stub, "+", 1) == 1 ? 0 : -EPIPE;
}

static int ask(int stub, const char *question, char *answer, size_t size)
{
	int r = send_packet(stub, question);

	return r < 0 ? r : receive_packet(stub, answer, size);
}

/* Runs until a CPU comes to the address. */
static int run_to(int stub, uint64_t address)
{
	char text[64], answer[64];
	int r;

	(void)snprintf(text, sizeof(text), "Z1,%" PRIx64 ",4", address);
	r = ask(stub, text, answer, sizeof(answer));
	if (r < 0 || !streq(answer, "OK"))
		return r < 0 ? r : -EPROTO;
	r = ask(stub, "c", answer, sizeof(answer));
	if (r < 0 || answer[0] != 'T')
		return r < 0 ? r : -EPROTO;
	text[0] = 'z';
	return ask(stub, text, answer, sizeof(answer));
}

/* The link register of the CPU that stopped; the stub sends it in the guest's byte order. */
static int read_lr(int stub, uint64_t *ret)
{
	char registers[2048];
	uint64_t lr;
	int r = ask(stub, "g", registers, sizeof(registers));

	if (r < 0)
		return r;
	if (strlen(registers) < LR_OFFSET + 16)
		return -EPROTO;
	registers[LR_OFFSET + 16] = '\0';
	if (sscanf(registers + LR_OFFSET, "%16" SCNx64, &lr) != 1)
		return -EPROTO;
	*ret = __builtin_bswap64(lr);
	return 0;
}

int qemu_boot_dedicated(const char *path, const struct guest *guest)
{
	_cleanup_close_ int stub = qemu_connect(path);
	char answer[64];
	uint64_t lr = 0;
	int r;

	if (stub < 0)
		return stub;
	r = run_to(stub, guest->vpa_init + LOCAL_ENTRY);
	if (r >= 0)
		r = read_lr(stub, &lr);
	if (r >= 0)
		r = run_to(stub, lr);
	if (r < 0)
		return r;
	if (!guest_clear_shared(guest))
		return -ENXIO;
	return ask(stub, "D", answer, sizeof(answer));
}
