"""A server for a folder on this machine, as some pages need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and writes no log."""

    def log_message(self, *_) -> None:
        pass


@contextmanager
def served(
    folder: Path, handler: type[SimpleHTTPRequestHandler] = Quiet
) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Serve a folder while the ``with`` block runs.

    Yields:
        Its address, with a slash at its end, and the server.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", server
        finally:
            server.shutdown()
