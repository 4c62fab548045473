"""A server whose answer ends in the middle of a file."""

from pathlib import Path

from tools.site.local_server import Quiet


class SendsHalf(Quiet):
    """Serves a folder; what it may break is said by those that inherit from it."""

    def send_half(self) -> None:
        """Promise the whole file that is asked for, and send the first half of it."""
        content = Path(self.translate_path(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2])
