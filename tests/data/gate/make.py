#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Writes numbers.txt: what the gate's arithmetic has to give, by scipy and by brute force. A line is a kind, inputs, '=', outputs, separated by
# spaces; a list is its length and its values. Needs numpy and scipy. usage: tests/data/gate/make.py >tests/data/gate/numbers.txt
import numpy as np
from scipy import optimize, special, stats

rng = np.random.default_rng(20240607)


def put(kind, inputs, outputs):
    def text(x):
        if isinstance(x, (list, np.ndarray)):
            return " ".join([str(len(x))] + [text(v) for v in x])
        return str(x) if isinstance(x, (int, np.integer)) else "%.9g" % x
    print(kind, *map(text, inputs), "=", *map(text, outputs))


def sample(n, shift=0.0):
    return np.round(rng.normal(shift, 0.05, n), 4)


# Two sides, pooled t; alternative: NEW takes longer.
def samples():
    for _ in range(700):
        a, b = sample(rng.integers(2, 8)), sample(rng.integers(2, 8), rng.choice([0, 0.05, -0.1]))
        t = stats.ttest_ind(b, a, equal_var=True, alternative="greater")
        put("sides", [a, b], [t.statistic, t.pvalue])
    for _ in range(200):
        n = rng.integers(2, 9)
        a, b = sample(n), sample(n, rng.choice([0, 0.05]))
        t = stats.ttest_rel(b, a, alternative="greater")
        put("pairs", [a, b], [t.statistic, t.pvalue])
    # One launch to an era; eras in the order of time against one more.
    for _ in range(100):
        a, b = sample(rng.integers(2, 13)), sample(1, 0.1)
        n = len(a)
        variance = np.mean(np.diff(a) ** 2) / 2
        # Of the mean of overlapping squares x_i = (z_i - z_{i-1})^2 / 2 for normal z: var = 2, cov of neighbours = 1/2
        m = n - 1
        spread = (2 * m + 2 * 0.5 * (m - 1)) / m ** 2
        df = 2 / spread
        t = (b.mean() - a.mean()) / np.sqrt(variance * (1 / n + 1))
        put("eras", [a, b], [t, stats.t.sf(t, df)])


def trigamma_inverse(x):
    return np.exp(optimize.brentq(lambda y: special.polygamma(1, np.exp(y)) - x, -30, 60, xtol=1e-14))


# Moments of log variances, Smyth 2004, section 6.2.
def priors():
    for case in range(60):
        n = int(rng.integers(2, 12))
        df = np.full(n, float(rng.integers(1, 20))) if case % 3 else rng.integers(1, 20, n).astype(float)
        true = np.exp(rng.normal(-7, [0, 0.5, 2][case % 3], n))
        variance = np.array([float("%.6g" % v) for v in true * rng.chisquare(df) / df])
        e = np.log(variance) - special.digamma(df / 2) + np.log(df / 2)
        excess = e.var(ddof=1) - special.polygamma(1, df / 2).mean()
        if excess > 0:
            d0 = 2 * trigamma_inverse(excess)
            s0 = np.exp(e.mean() + special.digamma(d0 / 2) - np.log(d0 / 2))
            moderated = (d0 * s0 + df * variance) / (d0 + df)
        else:
            d0 = np.inf
            s0 = np.sum(df * variance) / np.sum(df)
            moderated = np.full(n, s0)
        total = np.minimum(d0 + df, df.sum())
        put("prior", [variance, df], [s0, min(d0, 1e300), moderated, total])
    for x in np.exp(rng.uniform(-12, 12, 40)):
        x = float("%.9g" % x)
        put("trigamma", [x], [trigamma_inverse(x)])


def quantiles():
    for _ in range(60):
        df, z = round(float(np.exp(rng.uniform(0, 6))), 2), round(float(rng.uniform(-6, 6)), 3)
        put("student", [z, df], [-stats.t.isf(stats.norm.cdf(z), df) if z < 0 else stats.t.isf(stats.norm.sf(z), df)])


def discoveries():
    for _ in range(60):
        p = np.array([float("%.6g" % v) for v in rng.beta(0.5, 2, rng.integers(1, 14))])
        rate = 0.1
        order = np.sort(p)
        found = max([i + 1 for i in range(len(p)) if order[i] <= rate * (i + 1) / len(p)] or [0])
        put("discoveries", [p, rate], [stats.false_discovery_control(p), found])


# Means over all sizes, over those from a quarter, half, three quarters on, and up to these.
def level(segments, placements, launch, own, heights):
    bounds = [q * segments // 4 for q in range(5)]
    parts = [(bounds[q + 1] - bounds[q]) * placements for q in range(4)]
    sets = [(0, 4)] + [(q, 4) for q in (1, 2, 3)] + [(0, q) for q in (1, 2, 3)]
    exceed, draws, block = np.zeros(len(heights)), 4000000, 100000
    for _ in range(draws // block):
        common = rng.standard_normal(block) * np.sqrt(launch)
        own_sums = rng.standard_normal((4, block)) * np.sqrt(own * np.array(parts))[:, None]
        most = np.full(block, -np.inf)
        for a, b in sets:
            n = sum(parts[a:b])
            if n:
                most = np.maximum(most, (common + own_sums[a:b].sum(0) / n) / np.sqrt(launch + own / n))
        exceed += [(most > z).sum() for z in heights]
    return exceed / draws


# Windows of at most half of the sizes against max(2, width) neighbours on each side, all cuts, and one placement against the other.
def contrasts(segments, placements):
    rows, n = [], segments * placements
    at = lambda sizes, where: np.array([(i % segments in sizes) and (where is None or i // segments == where) for i in range(n)], float)

    def add(inside, rest):
        if inside.any() and rest.any():
            rows.append(inside / inside.sum() - rest / rest.sum())
    for where in [None] + (list(range(placements)) if placements > 1 else []):
        for width in range(1, segments // 2 + 1):
            for first in range(segments - width + 1):
                reach = max(2, width)
                inside = set(range(first, first + width))
                around = set(range(max(0, first - reach), min(segments, first + width + reach))) - inside
                add(at(inside, where), at(around, where))
        for cut in range(1, segments):
            add(at(set(range(cut, segments)), where), at(set(range(cut)), where))
    if placements > 1:
        add(at(set(range(segments)), 0), at(set(range(segments)), 1))
    rows = np.array(rows)
    return rows / np.sqrt((rows ** 2).sum(1))[:, None]


def largest():
    for segments, placements, launch, own in [(1, 1, 9, 4), (2, 1, 9, 4), (3, 2, 9, 4), (8, 1, 9, 4), (20, 2, 9, 4), (20, 2, 1, 40), (20, 2, 0, 1),
                                              (31, 2, 9, 1), (250, 1, 9, 100)]:
        heights = (2.5, 3.0, 3.5)
        for z, p in zip(heights, level(segments, placements, launch, own, heights)):
            put("level", [segments, placements, launch, own, z], [p])
    for segments, placements in [(2, 1), (3, 1), (6, 2), (12, 1), (20, 2)]:
        rows, most = contrasts(segments, placements), []
        for _ in range(80):
            most.append(np.abs(rng.standard_normal((5000, rows.shape[1])) @ rows.T).max(1))
        most = np.concatenate(most)
        for z in (3.0, 3.5, 4.0):
            put("shape", [segments, placements, z], [np.mean(most > z)])


samples()
priors()
quantiles()
discoveries()
largest()
