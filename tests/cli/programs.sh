#!/bin/sh
# Users' programs (tests/programs/README.md): each gives what an NVIDIA driver was recorded to give, but for those that
# unlike.txt names; and so does each of those that were made to learn where lanes meet that leave a loop
# (docs/semantics.md, I8).
# cost: 5
xz -dc tests/programs/recorded.xz | "$B/tests/programs" check tests/programs/unlike.txt
users=$?
xz -dc tests/recordings/exits.xz | "$B/tests/programs" check && exit $users
