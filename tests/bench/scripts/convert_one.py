"""convert_one.py PROGRAM FILE: one CSA file as KIF on standard output, with cshogi, rsshogi or python-shogi."""
import sys

program, path = sys.argv[1:]
if program == "rsshogi":
    from rsshogi.record import Record

    sys.stdout.write(Record.from_csa_file(path).to_kif())
elif program == "cshogi":
    from cshogi import CSA, KIF

    parser = CSA.Parser.parse_file(path)[0]
    exporter = KIF.Exporter()
    exporter.kifu, exporter.prev_move, exporter.move_number = sys.stdout, None, 1
    exporter.header(parser.names)
    for move, seconds in zip(parser.moves, parser.times, strict=False):
        exporter.move(move, seconds)
    exporter.end("resign")
else:
    sys.exit(f"no program is called {program}")
