/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of NCCL's and RCCL's log, versions 2.4 to 2.31: which transport a channel between two ranks goes through, what was connected, which devices there
 * are. Lines of several processes may be mixed, and some are cut: what does not read to its end as a known form does not count.
 */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "taken.h"
#include "taken_parts.h"

static const char before_message[] = "NCCL INFO ";

/* What stands behind "via", to the end of the line or to what RCCL has behind it. */
static struct taken_text transport_of(struct taken_text text)
{
	const char *tail = memmem(text.at, (size_t)(text.end - text.at), " comm ", 6);

	if (tail)
		text.end = tail;
	while (text.end > text.at && isspace((unsigned char)text.end[-1]))
		text.end--;
	return text;
}

static bool only(const char *at, const char *end, const char *others)
{
	for (; at < end; at++)
		if (!isalnum((unsigned char)*at) && (!*at || !strchr(others, *at)))
			return false;
	return true;
}

/* What stands between the slashes behind P2P/, SHM/ and a network's device. */
static const char *const p2p_parts[] = { "IPC", "CUMEM", "MNNVL", "direct pointer", "indirect/", "read", "CE", NULL };
static const char *const shm_parts[] = { "direct", "CE", NULL };
static const char *const net_parts[] = { "GDRDMA", "GDRDMA(PCI)", "GDRDMA(C2C)", "Shared", "flush=0", NULL };

/* The last part is but the beginning of one that is known, or nothing: the line has lost its end. What is unknown is a later version's. */
static bool is_cut(struct taken_text text, const char *const *parts)
{
	const char *slash = memrchr(text.at, '/', (size_t)(text.end - text.at));
	const char *part = slash ? slash + 1 : text.at;
	const size_t length = (size_t)(text.end - part);
	bool begins = false;

	for (; *parts; parts++) {
		if (strlen(*parts) == length && memcmp(*parts, part, length) == 0)
			return false;
		begins |= strncmp(*parts, part, length) == 0;
	}
	return length == 0 || begins;
}

static bool is_open(struct taken_text text)
{
	int depth = 0;

	for (const char *at = text.at; at < text.end; at++)
		depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
	return depth > 0;
}

static unsigned p2p_ways(struct taken_text text, enum way p2p)
{
	if (is_cut(text, p2p_parts) || is_open(text))
		return 0;
	/* Through another GPU, or to another host: that is NVLink whatever lies between GPUs otherwise. */
	const bool nvlink = taken_word(&text, "indirect/") || taken_word(&text, "MNNVL");

	if (!nvlink && taken_word(&text, "direct pointer") && text.at < text.end && *text.at != '/')
		return 0;
	return only(text.at, text.end, "/[]_") ? 1U << (nvlink ? WAY_NVLINK : p2p) : 0;
}

/* A name in our letters: "AWS Libfabric" is aws_libfabric. */
static void keep_network(struct taken *taken, const char *name, size_t length)
{
	const size_t kept = length < sizeof taken->network ? length : sizeof taken->network - 1;

	for (size_t i = 0; i < kept; i++)
		taken->network[i] = isalnum((unsigned char)name[i]) ? (char)tolower((unsigned char)name[i]) : '_';
	taken->network[kept] = '\0';
}

static enum way device_way(const struct taken *taken, unsigned long long device)
{
	const unsigned long long bit = device < 64 ? 1ULL << device : 0;
	/* Several ports as one device have a number of their own. */
	const bool roce = taken->ib_known & bit ? (taken->ib_roce & bit) != 0
						: taken->ib_known && taken->ib_known == taken->ib_roce;

	return roce ? WAY_ROCE : WAY_IB;
}

/* "IB/0(3)/GDRDMA(PCI)/Shared": a name, which may hold blanks, a device, and more. The network's bit, 0 for one that has no word of ours. */
static bool net_ways(struct taken *taken, struct taken_text text, unsigned *ways)
{
	const char *name = text.at;
	unsigned long long device;

	while (text.at + 1 < text.end && (text.at[0] != '/' || !isdigit((unsigned char)text.at[1])))
		text.at++;
	const size_t length = (size_t)(text.at - name);

	if (length == 0 || !only(name, text.at, " _-.+") || !taken_word(&text, "/") || !taken_number(&text, INT_MAX, &device) ||
	    !only(text.at, text.end, "/()_=,.") || is_open(text) || (text.at < text.end && is_cut(text, net_parts)))
		return false;
	if (length >= 2 && memcmp(name, "IB", 2) == 0)
		*ways = 1U << device_way(taken, device);
	else if (length == 6 && memcmp(name, "Socket", 6) == 0)
		*ways = 1U << WAY_SOCKET;
	else
		keep_network(taken, name, length);
	return true;
}

/* Which ways "via ..." says; false: none that is known. */
static bool transport_ways(struct taken *taken, struct taken_text text, enum way p2p, unsigned *ways)
{
	*ways = 0;
	if (taken_word(&text, "NET/"))
		return net_ways(taken, text, ways);
	if (taken_word(&text, "P2P/"))
		*ways = p2p_ways(text, p2p);
	else if (taken_word(&text, "SHM/"))
		*ways = !is_cut(text, shm_parts) && only(text.at, text.end, "/") ? 1U << WAY_SHM : 0;
	else if (taken_word(&text, "direct shared memory"))
		*ways = text.at == text.end ? 1U << WAY_SHM : 0;
	return *ways != 0;
}

/* "0[1b000]" */
static bool read_rank(struct taken_text *text, int *rank)
{
	unsigned long long number;

	if (!taken_number(text, INT_MAX, &number))
		return false;
	*rank = (int)number;
	if (!taken_word(text, "["))
		return true;
	while (text->at < text->end && isxdigit((unsigned char)*text->at))
		text->at++;
	return taken_word(text, "]");
}

struct channel {
	unsigned long long number;
	int from, to;
	bool receives;
};

/* Behind "Channel": " 00/0 : 0[0] -> 1[1] [send] via " */
static bool read_channel(struct taken_text *text, struct channel *channel)
{
	unsigned long long connection;

	taken_blanks(text);
	if (!taken_number(text, INT_MAX, &channel->number) ||
	    (taken_word(text, "/") && !taken_number(text, INT_MAX, &connection)))
		return false;
	taken_blanks(text);
	if (!taken_word(text, ":"))
		return false;
	taken_blanks(text);
	if (!read_rank(text, &channel->from) || !taken_word(text, " -> ") || !read_rank(text, &channel->to))
		return false;
	channel->receives = taken_word(text, " [receive]");
	if (!channel->receives)
		taken_word(text, " [send]");
	return taken_word(text, " via ");
}

static void count_channel(struct taken_channels *channels, const struct channel *channel)
{
	const unsigned long long bit = 1ULL << channel->number % 64;
	unsigned long long *seen = &channels->seen[channel->number / 64 % 2];

	/* The receiver says the same again. */
	if (channel->receives || channel->number >= 128 || *seen & bit)
		return;
	*seen |= bit;
	channels->count++;
}

/* Without the device of a network, of which each channel may have another: "NET/IB/0(3)/GDRDMA" is "NET/IB/GDRDMA". */
static void name_transport(struct taken_text text, char *name, size_t size)
{
	const bool net = taken_word(&(struct taken_text){ text.at, text.end }, "NET/");
	char *to = name;

	taken_copy(&text, (size_t)(text.end - text.at), name, size);
	for (const char *from = name; *from; *to++ = *from++) {
		if (!net || from[0] != '/' || !isdigit((unsigned char)from[1]))
			continue;
		from += 1 + strspn(from + 1, "0123456789");
		if (*from == '(')
			from += strcspn(from, ")") + (strchr(from, ')') != NULL);
		if (!*from)
			break;
	}
	*to = '\0';
}

static int count_transport(struct taken *taken, struct taken_pair *pair, struct taken_text text, const struct channel *channel)
{
	char how[sizeof taken->transports->how];
	bool failed;

	name_transport(text, how, sizeof how);
	struct taken_transport *transport = taken_find_transport(taken, pair, how, &failed);

	if (!transport)
		return failed ? -1 : 0;
	transport->gdrdma |= memmem(text.at, (size_t)(text.end - text.at), "/GDRDMA", 7) != NULL;
	count_channel(&transport->channels, channel);
	count_channel(&pair->channels, channel);
	if (!taken->said_channels && pair->channels.count > taken->channels)
		taken->channels = pair->channels.count;
	return 0;
}

static int channel_line(struct taken *taken, struct taken_text text, enum way p2p)
{
	struct channel channel;
	unsigned ways;
	bool failed;

	if (!read_channel(&text, &channel))
		return 0;
	text = transport_of(text);
	if (!transport_ways(taken, text, p2p, &ways))
		return 0;
	struct taken_pair *pair = taken_find_pair(taken, channel.from, channel.to, "", &failed);

	taken->ways |= ways;
	taken->understood++;
	if (!pair)
		return failed ? -1 : 0;
	pair->ways |= ways;
	return count_transport(taken, pair, text, &channel);
}

/* "00/0 : 3 [send] via COLLNET/SHARP/0/GDRDMA" */
static bool is_collnet(struct taken_text text)
{
	unsigned long long number;

	taken_blanks(&text);
	if (!taken_number(&text, INT_MAX, &number))
		return false;
	if (taken_word(&text, "/") && !taken_number(&text, INT_MAX, &number))
		return false;
	taken_blanks(&text);
	if (!taken_word(&text, ": ") || !taken_number(&text, INT_MAX, &number))
		return false;
	return (taken_word(&text, " [send]") || taken_word(&text, " [receive]")) && taken_word(&text, " via COLLNET/");
}

/* "16 coll channels, 0 collnet channels, 16 nvls channels, 32 p2p channels, ..." */
static bool channel_counts(struct taken *taken, struct taken_text text)
{
	unsigned long long number;

	if (taken_word(&text, "comm ") && !taken_skip_to(&text, ", "))
		return false;
	if (!taken_number(&text, INT_MAX, &number) || !taken_word(&text, " coll channels"))
		return false;
	if (!taken->said_channels || (int)number > taken->channels)
		taken->channels = (int)number;
	taken->said_channels = true;
	while (taken_word(&text, ", ") && taken_number(&text, INT_MAX, &number)) {
		if (taken_word(&text, " nvls channels"))
			taken->nvls |= number > 0;
		else if (!taken_word(&text, " collnet channels"))
			break;
	}
	return true;
}

/* "IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:..." */
static bool devices_line(struct taken *taken, struct taken_text text)
{
	unsigned long long device;

	if (!taken_word(&text, "IB") || !taken_skip_to(&text, " : Using "))
		return false;
	taken->ib_known = taken->ib_roce = 0;
	while (taken_skip_to(&text, "[")) {
		if (!taken_number(&text, 63, &device) || !taken_word(&text, "]"))
			continue;
		while (text.at < text.end && *text.at != '/' && !isspace((unsigned char)*text.at))
			text.at++;
		taken->ib_known |= 1ULL << device;
		taken->ib_roce |= taken_word(&text, "/RoCE") ? 1ULL << device : 0;
	}
	return true;
}

static bool connected_line(struct taken *taken, struct taken_text text)
{
	if (taken_word(&text, "all rings"))
		taken->rings = true;
	else if (taken_word(&text, "all trees"))
		taken->trees = true;
	else if (taken_word(&text, "NVLS tree"))
		taken->nvls = true;
	else
		return taken_word(&text, "binomial trees");
	return true;
}

static bool version_line(struct taken *taken, struct taken_text text)
{
	const char *name = "NCCL";
	struct taken_text word = text;

	if (!taken_skip_to(&word, "NCCL version ")) {
		word = text;
		name = "RCCL";
		if (!taken_skip_to(&word, "RCCL version "))
			return false;
	}
	taken_word(&word, ": ");
	const char *end = word.at;

	while (end < word.end && (isalnum((unsigned char)*end) || strchr("._+-", *end)))
		end++;
	if (end == word.at || !isdigit((unsigned char)*word.at))
		return false;
	const size_t used = (size_t)snprintf(taken->version, sizeof taken->version, "%s ", name);

	taken_copy(&word, (size_t)(end - word.at), taken->version + used, sizeof taken->version - used);
	return true;
}

static bool multicast_line(struct taken *taken, struct taken_text text)
{
	const bool can = !taken_word(&text, "not ");

	if (!taken_word(&text, "available"))
		return false;
	*(can ? &taken->nvls_can : &taken->nvls_cannot) = true;
	return true;
}

static bool state_line(struct taken *taken, struct taken_text text)
{
	if (taken_word(&text, "Connected "))
		return connected_line(taken, text);
	if (taken_word(&text, "NET/"))
		return devices_line(taken, text);
	if (taken_word(&text, "NVLS multicast support is "))
		return multicast_line(taken, text);
	if (taken_word(&text, "CollNet ") || taken_word(&text, "Coll ")) {
		const bool is = is_collnet(text);

		taken->collnet |= is;
		return is;
	}
	return channel_counts(taken, text) || version_line(taken, text);
}

int taken_nccl_line(struct taken *taken, const char *line, size_t length, enum way p2p)
{
	struct taken_text text = { line, line + (length < TAKEN_LINE ? length : TAKEN_LINE) };
	bool found = false;

	taken->lines++;
	/* Of two lines in one the first has lost its end. */
	while (taken_skip_to(&text, before_message))
		found = true;
	if (!found) {
		taken->understood += version_line(taken, text);
		return 0;
	}
	if (taken_word(&text, "Channel ") || taken_word(&text, "Ring "))
		return channel_line(taken, text, p2p);
	const int tuned = taken_tuning_line(taken, text);

	if (tuned < 0)
		return -1;
	taken->understood += tuned > 0 || state_line(taken, text);
	return 0;
}

int taken_nccl_text(struct taken *taken, const char *text, size_t size, enum way p2p)
{
	for (const char *end; size > 0; size -= (size_t)(end - text), text = end) {
		const char *newline = memchr(text, '\n', size);

		end = newline ? newline + 1 : text + size;
		if (taken_nccl_line(taken, text, (size_t)((newline ? newline : end) - text), p2p))
			return -1;
	}
	return 0;
}
