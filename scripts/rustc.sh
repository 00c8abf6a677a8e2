#!/bin/sh
# cargo calls the compiler through this wrapper (.cargo/config.toml). It removes the build machine's folders from the
# source paths in panic messages, so that the libraries are the same wherever they are built.
rustc=$1
shift
exec "$rustc" "$@" ${CARGO_MANIFEST_DIR:+"--remap-path-prefix=${CARGO_MANIFEST_DIR%/*}="}
