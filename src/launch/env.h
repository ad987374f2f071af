/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the env launch share. Ranks meet at rank 0, whose host and a short list of ports all know from their environment; who presents
 * the job's token gets a connection that stays until the end, anybody else a closed one.
 */
#ifndef COLLPERF_LAUNCH_ENV_H
#define COLLPERF_LAUNCH_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct addrinfo;
struct launch_setup;

enum { ENV_HOST = 256, ENV_HOST_KEY = 128, ENV_TRIES = 8, ENV_MAX_RANKS = 1 << 20, ENV_REASON = 400, ENV_TOKEN = 1024 };

/* What the environment says; texts are copied. */
struct env_words {
	int rank;
	int size;
	int local_rank;        /* -1: not said */
	char host[ENV_HOST];   /* rank 0's; "" where size is 1 */
	int first_port;        /* of ENV_TRIES in a row: env_words_port */
	char token[ENV_TOKEN]; /* what tells this job from any other */
	const char *host_said; /* the variable that names the host */
	const char *port_said; /* ... and the port */
};

struct env_error {
	char text[ENV_REASON];
};

/* The value of a variable; NULL: not set, or empty. */
const char *env_get(const char *name);
/* -1: not set, or not a whole number of at most `most`. */
long env_number(const char *name, long most);
/* Whether variables of a process manager of MPI, or of torchrun or a Slurm step, are there. */
bool env_asks_mpi(void);
bool env_asks_env(void);

/* 0, or -1 with error->text: a variable that is missing, is garbage or contradicts another. */
int env_words_read(struct env_words *words, struct env_error *error);
/* The i-th port of the list that all ranks know, 0 <= i < ENV_TRIES. */
int env_words_port(const struct env_words *words, int i);
/* `text` as it may be printed: at most 60 bytes, others than visible ASCII become '?'. Returns buffer. */
const char *env_words_quote(const char *text, char *buffer, size_t size);

/* The first host of Slurm's compressed list ("n[01-03,07]a,x9" is n01a). 0, or -1: the list, all of it, is not of that kind, or the name too long. */
int env_nodes_first(const char *list, char *host, size_t size);

/* A job's key: made of the token, never sent. */
struct env_key {
	uint64_t word[2];
};

enum { ENV_HELLO_BYTES = 192, ENV_ANSWER_BYTES = 448 };

struct env_hello {
	uint64_t nonce;
	int rank, size, local_rank;
	char host[ENV_HOST_KEY];
};

enum env_verdict {
	ENV_WELCOME = 1,
	ENV_REFUSED, /* with a reason */
};

struct env_answer {
	enum env_verdict verdict;
	char reason[ENV_REASON];
};

/* What a message that was read turned out to be. */
enum env_reading {
	ENV_GENUINE, /* from a process that knows the key */
	ENV_OTHER,   /* of our kind, but of another job, version or byte order; its words prove nothing */
	ENV_GARBAGE,
};

void env_hello_key(const char *token, struct env_key *key);
void env_hello_write(const struct env_hello *hello, const struct env_key *key, unsigned char *bytes);
/* *hello is set if genuine. */
enum env_reading env_hello_read(const unsigned char *bytes, const struct env_key *key, struct env_hello *hello);
/* The answer to the hello with this nonce. */
void env_answer_write(const struct env_answer *answer, uint64_t nonce, const struct env_key *key, unsigned char *bytes);
/* *answer is set unless garbage; its reason is printable. */
enum env_reading env_answer_read(const unsigned char *bytes, uint64_t nonce, const struct env_key *key,
				 struct env_answer *answer);

/* Seconds, monotonic. */
double env_net_now(void);
void env_net_wait(double seconds);
/* Listens where `host` can be reached, on loopback alone where it is a name of that. Returns how many of fds[2] it set; 0 with errno. */
int env_net_listen(const char *host, int port, int fds[2]);
/* A connection to one of these addresses, or -1 with errno. */
int env_net_connect(const struct addrinfo *addresses, int port, double until);
/* 0, or -1 with errno, ETIMEDOUT after `until`, EPIPE where the peer closed. */
int env_net_send(int fd, const void *data, size_t size, double until);
int env_net_receive(int fd, void *data, size_t size, double until);
void env_net_close(int *fd);
/* Raises the limit of descriptors where it may. */
void env_net_allow(int descriptors);
/* No delays, and a host that vanishes is found. */
void env_net_prepare(int fd);

/* One process as rank 0 knows it, and rank 0 as the others do. */
struct env_peer {
	int fd; /* -1: none */
	int local_rank;
	char host[ENV_HOST_KEY];
	char name[64]; /* of the host, for messages */
};

/* What rank 0 tells each once all are there, or when it gives up. In the byte order of the machine. */
struct env_start {
	int32_t node, nnodes; /* nnodes 0: it gave up for this reason */
	int32_t local_rank, local_size;
	char reason[ENV_REASON];
};

/* Fills all of key[ENV_HOST_KEY] for this host. */
void env_join_host_key(char *key);
/* "host", without what makes its key unique, printable. Returns buffer. */
const char *env_join_host_name(const char *key, char *buffer, size_t size);
/*
 * One try to shake hands at a port before `until`. The reading of the answer; if genuine and a welcome, *fd is the connection. ENV_GARBAGE with errno
 * also where nobody listens or nothing is said.
 */
enum env_reading env_join_greet(const struct addrinfo *addresses, int port, struct env_hello *hello, const struct env_key *key,
				double until, struct env_answer *answer, int *fd);

/* peers[size], all fd -1: rank 0 fills 1 .. size - 1; the others [0]. 0, or -1 after one line on stderr. */
int env_host_meet(const struct env_words *words, const struct launch_setup *setup, struct env_peer *peers,
		  struct env_start *start);
int env_join_meet(const struct env_words *words, const struct launch_setup *setup, struct env_peer *peers,
		  struct env_start *start);

#endif
