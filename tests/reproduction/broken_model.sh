#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A model that cannot be read ends a program with exit status 1 and a line that names it.
# Usage: broken_model.sh MODEL PROGRAM
set -eu
model=$1 program=$2
SERVET_MODELS=$(mktemp -d)
export SERVET_MODELS
trap 'rm -r "$SERVET_MODELS"' EXIT
echo '{' >"$SERVET_MODELS/$model.json"

status=0
"$program" --claims >"$SERVET_MODELS/out" 2>"$SERVET_MODELS/err" || status=$?
[ "$status" -eq 1 ]
[ ! -s "$SERVET_MODELS/out" ]
grep -q "cannot read the model $model: " "$SERVET_MODELS/err"
