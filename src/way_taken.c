/* SPDX-License-Identifier: Apache-2.0
 *
 * From the libraries' logs to the words of the path column: each process reads its own, rank 0 joins them, knows the machines, and tells all.
 */
#include "way_taken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../topo/path.h"
#include "../topo/taken.h"
#include "launch.h"
#include "way_log.h"

enum { MOST_PAIRS = 32, MOST_SETTINGS = 3 };

struct setting {
	const char *name, *value;
};

static const struct library {
	const char *backend;
	const char *file;                       /* the variable that names the log */
	const char *others[3];                  /* who sets one of these speaks to the library himself */
	struct setting settings[MOST_SETTINGS]; /* beside them */
	bool nccl;
} libraries[] = {
	/* Connections that are made when they are first needed would be told after we have read. */
	{ "nccl",
	  "NCCL_DEBUG_FILE",
	  { "NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", NULL },
	  { { "NCCL_DEBUG", "INFO" }, { "NCCL_DEBUG_SUBSYS", "INIT,ENV" }, { "NCCL_RUNTIME_CONNECT", "0" } },
	  true },
	{ "mpi", "UCX_LOG_FILE", { "UCX_LOG_LEVEL", "UCX_LOG_FILE_SIZE", NULL }, { { "UCX_LOG_LEVEL", "info" } }, false },
};

static const char with_calls[] = "INIT,ENV,TUNING";

static const struct library *library_of(const char *backend)
{
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (strcmp(libraries[i].backend, backend) == 0)
			return &libraries[i];
	return NULL;
}

/* An empty variable is one that was set. */
static bool is_set(const char *name)
{
	return getenv(name) != NULL;
}

/* The descriptor of the log that this process made, or what it was before it executed itself; -1: none. */
static int own_log(const struct library *library)
{
	const char *name = library ? getenv(library->file) : NULL;

	return name ? way_log_own(name) : -1;
}

static bool user_has_spoken(const struct library *library)
{
	bool spoken = is_set(library->file);

	for (const char *const *name = library->others; *name; name++)
		spoken |= is_set(*name);
	return spoken;
}

static int add(struct steer_variable *variables, int most, int count, const struct setting *setting)
{
	if (count == most)
		return count;
	variables[count] = (struct steer_variable){ .wanted = "" };
	snprintf(variables[count].name, sizeof variables->name, "%s", setting->name);
	snprintf(variables[count].value, sizeof variables->value, "%s", setting->value);
	return count + 1;
}

int way_taken_variables(const char *backend, enum readback readback, struct steer_variable *variables, int most)
{
	const struct library *library = readback == READBACK_OFF ? NULL : library_of(backend);
	char name[WAY_LOG_NAME];
	int log = own_log(library), count;
	const bool again = log >= 0;

	if (!library || (!again && user_has_spoken(library)))
		return 0;
	if (!again)
		log = way_log_make(name, sizeof name);
	if (log < 0)
		return 0;
	way_log_pass_on_at_exit(log);
	count = add(variables, most, 0, &(struct setting){ library->file, again ? getenv(library->file) : name });
	for (int i = 0; i < MOST_SETTINGS && library->settings[i].name; i++) {
		struct setting setting = library->settings[i];

		if (readback == READBACK_ALL && strcmp(setting.name, "NCCL_DEBUG_SUBSYS") == 0)
			setting.value = with_calls;
		/* After the program executed itself ours and the user's are told apart by their values alone. */
		const char *const present = getenv(setting.name);

		if (!present || (again && strcmp(present, setting.value) == 0))
			count = add(variables, most, count, &setting);
	}
	return count;
}

/* What a process knows of its own connections. */
struct card {
	unsigned ways;
	char network[TAKEN_NAME];
	/* Between which ranks P2P goes, as far as there is room: then rank 0 can tell over what. */
	int npairs; /* more than MOST_PAIRS: not all are here */
	int pairs[MOST_PAIRS][2];
	bool traced;
};

static void fill_card(struct card *card, const struct taken *taken)
{
	card->ways = taken->ways;
	snprintf(card->network, sizeof card->network, "%s", taken->network);
	for (size_t i = 0; i < taken->npairs; i++) {
		if (!(taken->pairs[i].ways & 1U << WAY_AUTO))
			continue;
		if (card->npairs < MOST_PAIRS) {
			card->pairs[card->npairs][0] = taken->pairs[i].from;
			card->pairs[card->npairs][1] = taken->pairs[i].to;
		}
		card->npairs++;
	}
}

static void read_own(const struct library *library, struct card *card)
{
	const char *name = getenv(library->file);
	const int log = own_log(library);
	struct taken taken = { .lines = 0 };
	size_t size;
	char *text = log >= 0 ? way_log_read(log, &size) : name ? way_log_read_named(name, &size) : NULL;

	if (!text)
		return;
	if (log >= 0)
		way_log_pass_on(text, size, 0);
	if ((library->nccl ? taken_nccl_text(&taken, text, size, WAY_AUTO) : taken_ucx_text(&taken, text, size)) == 0)
		fill_card(card, &taken);
	taken_clear(&taken);
	free(text);
}

/* The GPU of a rank; -1: unknown. */
static int gpu_of(const struct topo *topo, int rank, size_t *host)
{
	for (*host = 0; *host < topo->nhosts; ++*host)
		for (size_t i = 0; i < topo->hosts[*host].nranks; i++)
			if (topo->hosts[*host].ranks[i].rank == rank)
				return topo->hosts[*host].ranks[i].gpu;
	return -1;
}

static unsigned class_bit(const struct topo_host *host, int a, int b)
{
	struct path path;

	path_between(host, a, b, &path);
	if (path.class == TOPO_CLASS_UNKNOWN || path.class == TOPO_X)
		return 1U << WAY_AUTO;
	return 1U << (path.class == TOPO_NV ? WAY_NVLINK : WAY_PCIE);
}

/* Over what P2P between any two GPUs of these hosts would go. */
static unsigned any_pair(const struct topo *topo)
{
	unsigned ways = 0;

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = topo_host_of(topo, i);

		for (int a = 0; a < (int)host->ngpus && topo->hosts[i].alike < 0; a++)
			for (int b = 0; b < a; b++)
				ways |= class_bit(host, a, b);
	}
	return ways;
}

static unsigned pair_bit(const struct topo *topo, const int *pair)
{
	size_t host, other;
	const int a = gpu_of(topo, pair[0], &host), b = gpu_of(topo, pair[1], &other);

	return a >= 0 && b >= 0 && host == other ? class_bit(topo_host_of(topo, host), a, b) : 1U << WAY_AUTO;
}

/* NVLink, PCIe or both; the bit of WAY_AUTO where it cannot be told. Ranks of groups have numbers of their own. */
static unsigned p2p_ways(const struct topo *topo, const struct card *cards, int count, bool grouped)
{
	const unsigned any = any_pair(topo);
	unsigned ways = 0;

	if (any == 1U << WAY_NVLINK || any == 1U << WAY_PCIE)
		return any;
	for (int i = 0; i < count; i++) {
		if (grouped || cards[i].npairs > MOST_PAIRS)
			return 1U << WAY_AUTO;
		for (int pair = 0; pair < cards[i].npairs; pair++)
			ways |= pair_bit(topo, cards[i].pairs[pair]);
	}
	return ways & 1U << WAY_AUTO || ways == 0 ? 1U << WAY_AUTO : ways;
}

/* UCX does not say what its InfiniBand verbs go over. */
static bool all_roce(const struct topo *topo)
{
	size_t roce = 0, others = 0;

	for (size_t i = 0; i < topo->nhosts; i++) {
		const struct topo_host *host = topo_host_of(topo, i);

		for (size_t nic = 0; nic < host->nnics; nic++) {
			roce += host->nics[nic].fabric == TOPO_ROCE;
			others += host->nics[nic].fabric == TOPO_INFINIBAND;
		}
	}
	return roce > 0 && others == 0;
}

static unsigned join(const struct card *cards, int count, const struct topo *topo, bool grouped, char *network)
{
	unsigned ways = 0;

	*network = '\0';
	for (int i = 0; i < count; i++) {
		ways |= cards[i].ways;
		if (!*network)
			memcpy(network, cards[i].network, TAKEN_NAME);
	}
	if (!topo || topo->nhosts == 0)
		return ways;
	if (ways & 1U << WAY_AUTO)
		ways = (ways & ~(1U << WAY_AUTO)) | p2p_ways(topo, cards, count, grouped);
	if (ways & 1U << WAY_IB && all_roce(topo))
		ways = (ways & ~(1U << WAY_IB)) | 1U << WAY_ROCE;
	return ways;
}

/* What joins GPUs or processes of one host needs a network beside it between hosts; a network that was asked for carries everything. */
static bool differs(unsigned ways, const char *network, enum way asked, bool hosts)
{
	const unsigned nets = 1U << WAY_IB | 1U << WAY_ROCE | 1U << WAY_SOCKET | 1U << WAY_TCP;
	const unsigned local = 1U << WAY_NVLINK | 1U << WAY_PCIE | 1U << WAY_SHM;
	const bool is_local = local & 1U << asked;
	unsigned allowed = 1U << asked | (is_local && hosts ? nets : 0);

	/* P2P of which no more is known may be what was asked for. */
	if (ways & 1U << WAY_AUTO && (asked == WAY_NVLINK || asked == WAY_PCIE))
		ways = (ways & ~(1U << WAY_AUTO)) | 1U << asked;
	return !(ways & 1U << asked) || ways & ~allowed || (*network && !(is_local && hosts));
}

/* A variable of the user stands against what was asked for, and he was told. */
static bool is_overruled(const struct library *library, enum way asked)
{
	const struct way_variable *variable = way_variables(library->nccl ? WAY_NCCL : WAY_UCX, asked);
	bool overruled = false;

	for (; variable && variable->name; variable++) {
		const char *present = getenv(variable->name);

		overruled |= present && strcmp(present, variable->value) != 0;
	}
	return overruled;
}

static void conclude(const struct options *options, const struct library *library, unsigned ways, const char *network, bool hosts,
		     struct way_taken *taken)
{
	const int asked = options->path ? way_find(options->path) : WAY_AUTO;

	taken_words(ways, network, taken->path);
	if (asked <= WAY_AUTO)
		return;
	if (!*taken->path && is_overruled(library, (enum way)asked))
		return;
	if (!*taken->path) {
		snprintf(taken->path, sizeof taken->path, "%s?", way_names[asked]);
		snprintf(taken->note, sizeof taken->note, "--path %s: no log says which path was taken", way_names[asked]);
		return;
	}
	taken->differs = differs(ways, network, (enum way)asked, hosts);
	if (taken->differs)
		snprintf(taken->note, sizeof taken->note, "the path taken is %.95s, not %s as asked for (--path)", taken->path,
			 way_names[asked]);
}

int way_taken_read(struct launch *launch, const struct backend *backend, const struct options *options, const struct topo *topo,
		   struct way_taken *taken)
{
	const struct library *library = library_of(backend->ops->name);
	struct card own = { .npairs = 0 }, *all = NULL;
	char network[TAKEN_NAME];
	int rc;

	*taken = (struct way_taken){ .differs = false };
	/* Nothing goes anywhere from one rank. */
	if (launch->simulated || backend->fake_clock || backend->nranks < 2 || !library)
		return 0;
	if (options->readback != READBACK_OFF)
		read_own(library, &own);
	own.traced = library->nccl && options->readback == READBACK_ALL && own_log(library) >= 0;
	if (launch->rank == 0)
		all = calloc((size_t)launch->size, sizeof *all);
	if (launch->rank == 0 && !all)
		launch->ops->abort(launch, 3);
	rc = launch->ops->gather(launch, &own, sizeof own, all);
	if (rc == 0 && all) {
		const unsigned ways = join(all, launch->size, topo, backend->groups->count > 1, network);

		conclude(options, library, ways, network, launch->nnodes > 1, taken);
		for (int i = 0; i < launch->size; i++)
			taken->traced |= all[i].traced;
	}
	free(all);
	return rc || launch->ops->broadcast(launch, taken, sizeof *taken) ? -1 : 0;
}

void way_taken_algorithm(const char *backend, const char *collective, size_t bytes, char *algo, size_t size)
{
	const int log = own_log(library_of(backend));
	struct taken taken = { .lines = 0 };
	const struct taken_choice *found = NULL;
	size_t length;
	char *text = log >= 0 ? way_log_read(log, &length) : NULL;
	bool several = false;

	*algo = '\0';
	if (text && taken_nccl_text(&taken, text, length, WAY_AUTO) == 0) {
		for (size_t i = 0; i < taken.nchoices; i++) {
			const struct taken_choice *choice = &taken.choices[i];

			if (choice->bytes != bytes || (*choice->collective && strcmp(choice->collective, collective) != 0))
				continue;
			several |= found && (strcmp(found->algo, choice->algo) != 0 || strcmp(found->proto, choice->proto) != 0);
			found = choice;
		}
		if (found && !several)
			snprintf(algo, size, "%s/%s", found->algo, found->proto);
	}
	taken_clear(&taken);
	free(text);
}
