"""Mate problems (tsume): proofs, soundness, hisshi."""
