# The catalogue's generated tables (lint/catalog/*.toml -> constant data).
