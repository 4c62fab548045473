"""Attention on several devices, on ``torch.distributed``: on CPUs with gloo, on GPUs with NCCL.

``tensor`` divides the heads of a model among ranks, ``ring`` the tokens of a sequence. ``wire``
counts bytes, and ``processes`` starts and ends the processes. ``cases`` shows each beside one
process, from a shell or a cell:

    torchrun --standalone --nproc-per-node 2 -m course_lib.parallel tensor

A rank is the number of a process, one for each device.
"""

from course_lib.parallel.processes import process_group, run_processes
from course_lib.parallel.ring import idle_share, parts_met, ring_attention
from course_lib.parallel.tensor import (
    ParallelAttention,
    ParallelFeedForward,
    copy_to_ranks,
    heads_of_rank,
    parallelize,
    shard_attention,
    shard_feed_forward,
    sum_over_ranks,
)
from course_lib.parallel.wire import all_reduce_bytes, bytes_written, ring_bytes

__all__ = [
    "ParallelAttention",
    "ParallelFeedForward",
    "all_reduce_bytes",
    "bytes_written",
    "copy_to_ranks",
    "heads_of_rank",
    "idle_share",
    "parallelize",
    "parts_met",
    "process_group",
    "ring_attention",
    "ring_bytes",
    "run_processes",
    "shard_attention",
    "shard_feed_forward",
    "sum_over_ranks",
]
