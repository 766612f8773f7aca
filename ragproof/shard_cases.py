"""The cases of a shard, in the order in which its run asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragproof.cases import Case
from ragproof.sharding import Shard

if TYPE_CHECKING:
    from ragproof.store.store import Store


def shard_cases(store: Store, shard: Shard) -> tuple[Case, ...]:
    """Read a shard's cases.

    Args:
        store: where its dataset lies.
        shard: which ones; its positions, when it has some, are those of the dataset in another order.

    Raises:
        StoreError: there is no such dataset.
    """
    if not shard.positions:
        return store.datasets.cases(shard.dataset_hash, shard.start, shard.stop)
    return store.datasets.at(shard.dataset_hash, shard.positions)
