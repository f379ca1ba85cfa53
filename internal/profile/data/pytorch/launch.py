# Starts a program as a launcher of several processes does, on this machine alone, and ends as the first
# that fails does: with its words last, and with nobody else's among them.
import os
import subprocess
import sys

count, program = 2, sys.argv[1:]
here = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29500", "WORLD_SIZE": str(count), "LOCAL_WORLD_SIZE": str(count)}
running = [
    subprocess.Popen(
        [sys.executable] + program,
        env=dict(os.environ, RANK=str(n), LOCAL_RANK=str(n), **here),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for n in range(count)
]
ended = [one.communicate() + (one.returncode,) for one in running]
for out, err, code in sorted(ended, key=lambda e: e[2] != 0):
    sys.stdout.buffer.write(out)
    sys.stderr.buffer.write(err)
sys.stdout.flush()
sys.stderr.flush()
codes = [code for _, _, code in ended if code]
if codes:
    if codes[0] < 0:
        os.kill(os.getpid(), -codes[0])
    sys.exit(codes[0])
