#!/bin/sh
# cargo calls the compiler through this (.cargo/config.toml). Panic messages name source files: without the folders that
# they are in on the building machine, so that the libraries are the same wherever they are built.
rustc=$1
shift
exec "$rustc" "$@" ${CARGO_MANIFEST_DIR:+"--remap-path-prefix=${CARGO_MANIFEST_DIR%/*}="}
