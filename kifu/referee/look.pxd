from kifu.record cimport Game, Record
