"""Where submissions are graded: processes of this machine, or a Dask cluster that runs somewhere.

All that a worker gets and sends is pickled, so whoever reaches a scheduler can run code on every
worker. Hence TLS: a cluster of this machine has a certificate that lasts as long as the run, and
one of many machines the files that `make grade-keys` makes.
"""

import contextlib
import logging
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from importlib import import_module
from multiprocessing import resource_tracker
from pathlib import Path
from urllib.parse import urlsplit

import dask
import psutil
from distributed import Client, LocalCluster, Security

MEMORY_OF_WORKER = 4 * 2**30  # a submission and its grader
TRIES = 3  # workers that a submission may take along before it is given up
CERTIFICATE, KEY = "grading.pem", "grading-key.pem"
# Grading takes seconds each, so what watches over milliseconds is switched off.
SETTINGS = {
    "distributed.scheduler.allowed-failures": TRIES - 1,
    "distributed.scheduler.worker-saturation": 1.0,  # what waits, waits where all can take it
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.large-graph-warning-threshold": "1GB",
}


def workers_of_machine() -> int:
    """One for each core that this process may use, as far as the memory goes."""
    cores = len(os.sched_getaffinity(0))
    return max(1, min(cores, psutil.virtual_memory().total // MEMORY_OF_WORKER))


@contextlib.contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches every process of a terminal, but not those that are started in here."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def local_cluster(workers: int, *, dashboard: bool = True) -> Iterator[LocalCluster]:
    """Start a cluster that only this machine and this user reach, and end it."""
    # One folder for all that is temporary, so that a run that is interrupted leaves nothing. In
    # /tmp, since it holds sockets, whose paths must be short.
    with (
        tempfile.TemporaryDirectory(
            prefix="grade-", dir="/tmp", ignore_cleanup_errors=True
        ) as folder,
        dask.config.set(SETTINGS),
        contextlib.ExitStack() as running,
        warnings.catch_warnings(),
    ):
        # Another run has the dashboard's usual port; this one prints the port that it has.
        warnings.filterwarnings("ignore", "Port .* is already in use")
        # What multiprocessing starts before its first process would let Ctrl-C through again.
        resource_tracker.ensure_running()
        with interrupts_held_back():
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,  # sandboxes have limits of their own
                host="127.0.0.1",
                protocol="tls://",
                security=Security.temporary(),
                dashboard_address="127.0.0.1:8787" if dashboard else None,
                local_directory=folder,
                silence_logs=logging.CRITICAL,
            )
            running.enter_context(cluster)
        yield cluster


@contextlib.contextmanager
def connect(scheduler: str | None, keys: Path | None, workers: int) -> Iterator[Client]:
    """A client of the cluster at ``scheduler``, or of one with so many workers that starts here.

    ValueError where the address is none, or reaches over a network without TLS.
    """
    if scheduler is None:
        with local_cluster(workers) as cluster, Client(cluster, set_as_default=False) as client:
            print(f"Dask's dashboard: {cluster.dashboard_link}", file=sys.stderr)
            yield client
        return
    security = security_for(scheduler, keys)
    with dask.config.set(SETTINGS):
        try:
            client = Client(scheduler, security=security, set_as_default=False)
        except (OSError, TimeoutError) as problem:
            raise ConnectionError(f"No scheduler answers at SCHEDULER={scheduler}.") from problem
        with client:
            yield client


def security_for(scheduler: str, keys: Path | None) -> Security | None:
    """The TLS settings for an address; None where it is this machine's own, without encryption."""
    parts = urlsplit(scheduler)
    if parts.scheme == "tls":
        return security_from(keys)
    if parts.scheme == "tcp" and parts.hostname in ("localhost", "127.0.0.1", "::1"):
        return None
    raise ValueError(
        f"SCHEDULER={scheduler} should be tls://HOST:8786. Without encryption, as tcp://, it may "
        "only be this machine: whoever reaches a scheduler can run code on its workers."
    )


def security_from(keys: Path | None) -> Security:
    """Both sides show the one certificate that lies in ``keys``, and trust only that."""
    if keys is None or not (keys / CERTIFICATE).is_file() or not (keys / KEY).is_file():
        raise ValueError(
            f"TLS={keys or ''} should be the folder with {CERTIFICATE} and {KEY}. Make it with "
            "`make grade-keys TLS=folder`, and copy it to every machine."
        )
    settings = {"tls_ca_file": str(keys / CERTIFICATE)}
    for role in ("scheduler", "worker", "client"):
        settings |= {f"tls_{role}_cert": str(keys / CERTIFICATE)}
        settings |= {f"tls_{role}_key": str(keys / KEY)}
    return Security(require_encryption=True, **settings)


if __name__ == "__main__":  # dask's scheduler or worker, as the Makefile starts them
    with dask.config.set(SETTINGS | {"distributed.comm.require-encryption": True}):
        import_module(f"distributed.cli.dask_{sys.argv.pop(1)}").main()
