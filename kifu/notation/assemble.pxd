from kifu.grammar.machine cimport Work
