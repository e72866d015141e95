"""The rules of shogi: positions, legality, repetition, impasse. Knows nothing of notations or files."""
