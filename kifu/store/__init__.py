"""Proven games in one DuckDB file, and questions to it in SQL.

What runs in worker processes is cheap to import and knows no database: `kifu.store.rows`, `kifu.store.moves`,
`kifu.store.fields`, `kifu.store.grades`, `kifu.store.errors`, and `kifu.store.core` (pyarrow), the form of the rows
that they send. What the one writer and every reader need is imported when it is needed:
`kifu.store.loader` (pyarrow and duckdb), `kifu.store.database`, `kifu.store.openings`, `kifu.store.catalog` (duckdb
or nothing), `kifu.store.render` (nothing).
"""
