#!/bin/sh
# Starts Chromium with a limit that the kernel enforces: a page may grow by gigabytes between two looks at its memory
# while the processors are busy. A process may have 1 GiB of data; of a renderer's, 220 MiB are reserved and never used,
# as the stacks of threads are, whose size may not depend on how the program was started.
ulimit -S -s 8192
ulimit -d 1048576
exec "$CHROMIUM" "$@"
