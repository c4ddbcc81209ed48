#!/usr/bin/env bash
# A command in a system that nothing has booted, where its program lies: within.sh SYSTEM COMMAND
. "$(dirname "$0")/common.sh"
let_in "$1"
inside "$1" bash -c "cd /opt/mexico-table && $2"
