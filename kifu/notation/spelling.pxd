# What the compiler needs beside the types that spelling.py declares itself.
from cpython.unicode cimport PyUnicode_FromKindAndData
from kifu.rules.resolve cimport Resolver
