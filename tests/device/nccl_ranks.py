"""Ranks that share one GPU over NCCL: torchrun runs this file, with names of cases and tasks."""

import sys

import torch
import torch.distributed as dist

import parallel_ranks
from course_lib.parallel.cases import CASES

device = torch.device("cuda", 0)
torch.cuda.set_device(device)
torch.set_default_device(device)
dist.init_process_group("nccl", device_id=device)
for task in sys.argv[1:]:  # such as tensor, or others:17, with an argument
    name, *given = task.split(":")
    (CASES | parallel_ranks.TASKS)[name](device, *given)
dist.destroy_process_group()
