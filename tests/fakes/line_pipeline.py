"""A pipeline as a program, for the command adapter: it does what the question tells it to.

Run as `python line_pipeline.py`; it answers one line for each line it reads, until there are no more.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def answer(asked: dict[str, Any], number: int) -> None:
    """Do what one question says."""
    match str(asked["question"]).split(maxsplit=1):
        case ["say", text]:
            write(text.encode())
        case ["echo"]:
            write(json.dumps({"answer": json.dumps(asked, sort_keys=True)}).encode())
        case ["who"]:
            write(json.dumps({"answer": f"{os.getpid()} {number}"}).encode())
        case ["bytes", digits]:
            write(bytes.fromhex(digits))
        case ["raw", text]:
            sys.stdout.buffer.write(text.encode())
            sys.stdout.flush()
            sys.exit(0)
        case ["large", size]:
            write(b'{"answer": "' + b"x" * int(size) + b'"}')
        case ["exit", code]:
            sys.stderr.write("the index is gone\n")
            sys.exit(int(code))
        case ["half", code]:
            sys.stdout.write('{"answer": "hal')
            sys.stdout.flush()
            sys.exit(int(code))
        case ["logs", size]:
            sys.stderr.write("log " * int(size) + "\nlast words\n")
            sys.exit(3)
        case ["word", size]:
            sys.stderr.write("x" * int(size))
            sys.exit(3)
        case ["chatter", size]:
            sys.stderr.write("log\n" * int(size))
            write(b'{"answer": "after all that"}')
        case ["killed"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["hang"]:
            time.sleep(600)
        case ["child", file]:
            child = subprocess.Popen(SLEEPER)
            with open(file, "w", encoding="utf-8") as written:
                written.write(f"{os.getpid()} {child.pid}\n")
            time.sleep(600)
        case ["leaves", code]:
            subprocess.Popen(SLEEPER)
            sys.exit(int(code))
        case ["closes"]:
            os.close(1)
            time.sleep(600)
        case ["then", code]:
            write(b'{"answer": "first"}')
            sys.exit(int(code))
        case ["twice"]:
            write(b'{"answer": "first"}\n{"answer": "nobody asked"}')
        case ["banner"]:
            write(b"Loading the model ...")
            time.sleep(0.3)
            write(b'{"answer": "late"}')
        case ["environment", name]:
            write(json.dumps({"answer": os.environ.get(name)}).encode())
        case ["where"]:
            write(json.dumps({"answer": os.getcwd()}).encode())
        case _:
            write(b'{"answer": "yes"}')


def write(line: bytes) -> None:
    """Answer; flushed by nobody, as in most people's scripts."""
    sys.stdout.buffer.write(line + b"\n")


if __name__ == "__main__":
    for count, line in enumerate(sys.stdin, start=1):
        answer(json.loads(line), count)
