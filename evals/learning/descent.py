"""How weights are learned: a step down the gradient for each batch, told of on the way."""

import time
from collections.abc import Callable, Iterable
from typing import Any

import jax
import numpy as np
import optax

TOLD = 100
"""Steps after which the mean loss is printed."""


def adamw(rate: float, steps: int, *, decay: float = 0.01) -> optax.GradientTransformation:
    """AdamW (Loshchilov and Hutter 2019) on gradients of length one at most.

    The rate rises over a fifteenth of the steps, then falls along a cosine to a fiftieth of itself.
    """
    rates = optax.warmup_cosine_decay_schedule(0, rate, steps // 15, steps, rate / 50)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(rates, weight_decay=decay))


def descend(
    learned: Any,
    given: Any,
    batches: Iterable[Any],
    *,
    steps: int,
    optimiser: optax.GradientTransformation,
    loss_of: Callable[[Any, Any, Any], jax.Array],
) -> Any:
    """What is learned after a step for each batch of ``loss_of(learned, given, batch)``."""
    state = optimiser.init(learned)

    # What is given is an argument: a constant would be compiled into the step.
    @jax.jit
    def step(learned: Any, given: Any, state: Any, batch: Any) -> Any:
        loss, gradient = jax.value_and_grad(loss_of)(learned, given, batch)
        change, state = optimiser.update(gradient, state, learned)
        return optax.apply_updates(learned, change), state, loss

    began, losses = time.perf_counter(), list[float]()
    for number, batch in enumerate(batches, 1):
        learned, state, loss = step(learned, given, state, batch)
        losses.append(float(loss))
        if number % TOLD == 0:
            took = time.perf_counter() - began
            mean = np.mean(losses[-TOLD:])
            print(f"{number}/{steps} loss {mean:.4f} {took:.0f} s", flush=True)
    return learned
