"""The built-in encoders in JAX, with thin changes to their dense matrices that can be learned."""

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from tools.semantic.encoder_graph import SEGMENTS, dense, first_layers, layers
from tools.semantic.minilm import MINILM
from tools.semantic.published import Published

HEADS = 12
EPSILON = 1e-12

type Arrays = Mapping[str, jax.Array]


def published(base: Published = MINILM, *, most: int | None = None) -> Arrays:
    """The published weights, which stay as they are; of so many layers at ``most``."""
    weights = base.weights()
    own = weights if most is None else first_layers(weights, most)
    return {name: jnp.asarray(value) for name, value in own.items()}


def halved(weights: Arrays) -> Arrays:
    """The same with the dense matrices in 16 bits.

    Some processors multiply these four times as fast where neither matrix has to be turned, so each
    is kept twice.
    """
    names = dense(layers(weights))
    half = {name: weights[f"{name}.weight"].astype(jnp.bfloat16) for name in names}
    kept = {name: own for name, own in weights.items() if name.removesuffix(".weight") not in half}
    turned = {f"{name}.forth": jnp.array(own.T) for name, own in half.items()}
    return {**kept, **turned, **{f"{name}.back": own for name, own in half.items()}}


def unchanged(key: jax.Array, *, rank: int, most: int = 6) -> Arrays:
    """Thin matrices to learn from (``name.down`` inputs × rank, ``name.up`` rank × outputs).

    Those of ``most`` layers; their products are 0.
    """
    adapter: dict[str, jax.Array] = {}
    for name, (inputs, outputs) in dense(most).items():
        key, part = jax.random.split(key)
        adapter[f"{name}.down"] = jax.random.normal(part, (inputs, rank)) * inputs**-0.5
        adapter[f"{name}.up"] = jnp.zeros((rank, outputs))
    return adapter


@jax.custom_vjp
def _product(value: jax.Array, forth: jax.Array, back: jax.Array) -> jax.Array:  # noqa: ARG001
    half = value.astype(jnp.bfloat16)
    return jnp.matmul(half, forth, preferred_element_type=jnp.float32)


def _with_back(
    value: jax.Array, forth: jax.Array, back: jax.Array
) -> tuple[jax.Array, tuple[jax.Array]]:
    return _product(value, forth, back), (back,)


def _backward(kept: tuple[jax.Array], slope: jax.Array) -> tuple[jax.Array, None, None]:
    half = slope.astype(jnp.bfloat16)
    return jnp.matmul(half, kept[0], preferred_element_type=jnp.float32), None, None


_product.defvjp(_with_back, _backward)


def vectors(weights: Arrays, adapter: Arrays, ids: jax.Array, mask: jax.Array) -> jax.Array:
    """Vectors of length one (batch × 384) for token ids and their mask (batch × tokens)."""
    value = hidden(weights, adapter, ids, mask, jnp.zeros_like(ids))
    total = (value * mask[:, :, None]).sum(1)
    return total / jnp.sqrt((total**2).sum(-1, keepdims=True))


def hidden(
    weights: Arrays,
    adapter: Arrays,
    ids: jax.Array,
    mask: jax.Array,
    segments: jax.Array,
    *,
    peaks: dict[str, jax.Array] | None = None,
) -> jax.Array:
    """The last layer (batch × tokens × 384); ``segments`` says which of two texts a token is of.

    ``peaks`` is given the greatest value of each input of the wide matrices.
    """

    def product(value: jax.Array, name: str) -> jax.Array:
        flat = value.reshape(-1, value.shape[-1])  # three dimensions are five times slower
        if f"{name}.forth" in weights:
            full = _product(flat, weights[f"{name}.forth"], weights[f"{name}.back"])
        else:
            full = flat @ weights[f"{name}.weight"].T
        full += weights[f"{name}.bias"] + (flat @ adapter[f"{name}.down"]) @ adapter[f"{name}.up"]
        return full.reshape(*value.shape[:2], -1)

    def normalised(value: jax.Array, name: str) -> jax.Array:
        centred = value - value.mean(-1, keepdims=True)
        scaled = centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(value: jax.Array) -> jax.Array:
        return value.reshape(*value.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    segment = weights[SEGMENTS][segments]
    value = weights["embeddings.word_embeddings.weight"][ids] + places + segment
    value = normalised(value, "embeddings.LayerNorm")
    masked = (mask[:, None, None, :] - 1.0) * 10_000.0
    for layer in range(layers(weights)):
        prefix = f"encoder.layer.{layer}"
        query, key, content = (
            heads(product(value, f"{prefix}.attention.self.{name}"))
            for name in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / query.shape[-1] ** 0.5 + masked
        mixed = (jax.nn.softmax(scores, -1) @ content).transpose(0, 2, 1, 3).reshape(value.shape)
        attended = normalised(
            product(mixed, f"{prefix}.attention.output.dense") + value,
            f"{prefix}.attention.output.LayerNorm",
        )
        # What ships has it exact; the two differ by less than 0.0005.
        wide = jax.nn.gelu(product(attended, f"{prefix}.intermediate.dense"), approximate=True)
        if peaks is not None:
            peaks[f"{prefix}.output.dense"] = jnp.abs(wide * mask[:, :, None]).max((0, 1))
        value = normalised(
            product(wide, f"{prefix}.output.dense") + attended, f"{prefix}.output.LayerNorm"
        )
    return value


def averaged(
    one: Mapping[str, jax.Array], other: Mapping[str, jax.Array], *, rank: int
) -> dict[str, jax.Array]:
    """The mean of two trainings: of whole matrices, brought back to their rank; of all else."""
    mean = {name: (own + other[name]) / 2 for name, own in one.items()}
    for name in (name.removesuffix(".down") for name in one if name.endswith(".down")):
        down, up = f"{name}.down", f"{name}.up"
        change = (one[down] @ one[up] + other[down] @ other[up]) / 2
        left, sizes, right = jnp.linalg.svd(change, full_matrices=False)
        root = jnp.sqrt(sizes[:rank])
        mean[down] = left[:, :rank] * root
        mean[up] = root[:, None] * right[:rank]
    return mean
