"""The grammars, one Lark file a notation; data of the package, read by `kifu.grammar`."""
