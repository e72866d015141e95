"""prove_files.py PROGRAM NOTATION FOLDER...: read every file of the folders and prove its game with cshogi or rsshogi.

What somebody would write who has that library and a collection to check; it prints how many games are legal.
"""
import os
import sys


def with_cshogi(parse):
    import cshogi

    board = cshogi.Board()

    def legal(text):
        parser = parse(text)
        board.set_sfen(parser.sfen)
        for move in parser.moves:
            if not board.is_legal(move):
                return False
            board.push(move)
        return True

    return legal


def csa(text):
    from cshogi import CSA

    parser = CSA.Parser()
    parser.parse_csa_str(text)
    return parser


def kif(text):
    from cshogi import KIF

    return KIF.Parser.parse_str(text)


def with_rsshogi(reader):
    from rsshogi.record import Record

    read = getattr(Record, reader)

    def legal(text):
        try:
            read(text)
        except ValueError:
            return False
        return True

    return legal


program, notation, *folders = sys.argv[1:]
legal = {"cshogi csa": lambda: with_cshogi(csa), "cshogi kif": lambda: with_cshogi(kif),
         "rsshogi csa": lambda: with_rsshogi("from_csa_str"),
         "rsshogi kif": lambda: with_rsshogi("from_kif_str")}[f"{program} {notation}"]()
count = proven = 0
for folder in folders:
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            count += 1
            proven += legal(file.read())
print(f"{count} games, {proven} of them legal")
sys.exit(0 if count == proven else 1)
