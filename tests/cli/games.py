"""Small games for the tests of the command line."""
from __future__ import annotations

LEGAL = "V2.2\nN+Kana\nN-Mei\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n"
#: The second pawn on file 5, dropped at move 5.
NIFU = "V2.2\nPI\n+\n+5756FU\n-5354FU\n+5655FU\n-5455FU\n+0054FU\n%CHUDAN\n"
ILLEGAL = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8833KA\n-2233KA\n+2726FU\n-3355KA\n+2725FU\n"
KIF = ("手合割：平手\n先手：髙橋\n後手：﨑山\n手数----指手---------消費時間--\n"
       "   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 ３四歩(33)   ( 0:03/00:00:03)\n   3 投了\n")
USI = "startpos moves 7g7f 3c3d 2g2f\n"
