#!/bin/sh
# Users' programs (tests/programs/README.md): each gives what an NVIDIA driver was recorded to give, but for those that unlike.txt names.
# cost: 4
xz -dc tests/programs/recorded.xz | "$B/tests/programs" check tests/programs/unlike.txt
