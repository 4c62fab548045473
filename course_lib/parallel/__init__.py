"""Attention on several devices, on ``torch.distributed``: on CPUs with gloo, on GPUs with NCCL.

``tensor`` divides the heads of a model among ranks, ``ring`` the tokens of a sequence. ``wire``
counts bytes, and ``processes`` starts and ends the processes. ``cases`` shows each beside one
process, from a shell or a cell:

    torchrun --standalone --nproc-per-node 2 -m course_lib.parallel tensor

A rank is the number of a process, one for each device.
"""

from course_lib.parallel.processes import process_group as process_group
from course_lib.parallel.processes import run_processes as run_processes
from course_lib.parallel.ring import idle_share as idle_share
from course_lib.parallel.ring import parts_met as parts_met
from course_lib.parallel.ring import ring_attention as ring_attention
from course_lib.parallel.tensor import ParallelAttention as ParallelAttention
from course_lib.parallel.tensor import ParallelFeedForward as ParallelFeedForward
from course_lib.parallel.tensor import copy_to_ranks as copy_to_ranks
from course_lib.parallel.tensor import heads_of_rank as heads_of_rank
from course_lib.parallel.tensor import parallelize as parallelize
from course_lib.parallel.tensor import shard_attention as shard_attention
from course_lib.parallel.tensor import shard_feed_forward as shard_feed_forward
from course_lib.parallel.tensor import sum_over_ranks as sum_over_ranks
from course_lib.parallel.wire import all_reduce_bytes as all_reduce_bytes
from course_lib.parallel.wire import bytes_written as bytes_written
from course_lib.parallel.wire import ring_bytes as ring_bytes
