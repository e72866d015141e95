-- main_line: The most played line from a position
-- group: a position
-- In each position the move of most games. Every game that reached a position counts there, by whatever way it came. The
-- share is that of the games that play on; the score is Black's, over the games with a result, draws as half a point, with
-- its interval. Counted over all games, without filters.
-- $key: the position
-- $depth (30; 1..500): so many moves at most
-- $min_games (2; 1..): stop where no move has so many games
-- $ranks (9): height of the board
WITH RECURSIVE best AS (
    SELECT *, sum(games) OVER (PARTITION BY key) AS here FROM openings WHERE move <> 0
    QUALIFY row_number() OVER (PARTITION BY key ORDER BY games DESC, move) = 1
), line AS (
    SELECT 1 AS number, best.* FROM best WHERE key = $key AND games >= $min_games
    UNION ALL
    SELECT line.number + 1, best.* FROM line JOIN best ON best.key = line.next_key
    WHERE line.number < $depth AND best.games >= $min_games
)
SELECT number, usi(move, ranks := $ranks) AS move, games, black_wins, draws, white_wins,
       games - black_wins - draws - white_wins AS no_result,
       round((black_wins + draws / 2) / nullif(black_wins + draws + white_wins, 0), 4) AS black_score,
       round(wilson_low(black_wins + draws / 2, black_wins + draws + white_wins), 4) AS score_low,
       round(wilson_high(black_wins + draws / 2, black_wins + draws + white_wins), 4) AS score_high,
       round(games / here, 4) AS share, next_key
FROM line
ORDER BY number;
