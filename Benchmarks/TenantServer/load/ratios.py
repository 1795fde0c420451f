"""Ratios of pairs, with their interval."""

import math
import random
import statistics


def interval(ratios, confidence=0.95, resamples=20_000, seed=1):
    """The geometric mean of ratios, and where it lies with this confidence (bootstrap, percentiles; seeded)."""
    logs = [math.log(ratio) for ratio in ratios]
    chance = random.Random(seed)
    means = sorted(statistics.fmean(chance.choices(logs, k=len(logs))) for _ in range(resamples))
    tail = int(resamples * (1 - confidence) / 2)
    return math.exp(statistics.fmean(logs)), math.exp(means[tail]), math.exp(means[-tail - 1])
