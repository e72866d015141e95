-- summary: All at a glance, as KifuBase reports it
-- group: results
-- Each row is a set of games: their number, their share of all, and their mean length. Where it makes sense, win_rate is
-- the part of them that Black won, over the games that either side won (draws and unknown results are in neither), with
-- its interval. Draws by repetition and by impasse and interrupted games stand apart; "wins by" are parts of the wins. A
-- game counts for every opening that either side played, the more general ones included; with --player, that he or she
-- played.
WITH told AS (
    SELECT *, coalesce("end", verified_end, '') AS ended, CASE score WHEN 1 THEN 1 WHEN -1 THEN 0 END AS won FROM selected
), kinds(place, part, measure, japanese) AS (
    VALUES (1, 'games', 'games', '棋譜数'), (2, 'games', 'without repetitions', '千日手を除く'),
           (3, 'results', 'Black wins', '先手勝ち'), (4, 'results', 'White wins', '後手勝ち'),
           (5, 'results', 'repetition', '千日手'), (6, 'results', 'impasse', '持将棋'),
           (7, 'results', 'other draws', 'その他の引き分け'), (8, 'results', 'interrupted', '中断'),
           (9, 'results', 'unknown', '結果不明'), (10, 'wins by', 'declaration', '宣言勝ち'),
           (11, 'wins by', 'foul', '反則勝ち'), (12, 'wins by', 'timeout', '時間切れ勝ち')
), rows AS (
    SELECT place, part, measure, japanese, game_id, plies, CASE WHEN place <= 2 THEN won END AS won
    FROM kinds LEFT JOIN told ON CASE place
        WHEN 1 THEN true
        WHEN 2 THEN ended <> 'repetition'
        WHEN 3 THEN score = 1
        WHEN 4 THEN score = -1
        WHEN 5 THEN score = 0 AND ended = 'repetition'
        WHEN 6 THEN score = 0 AND ended = 'impasse'
        WHEN 7 THEN score = 0 AND ended NOT IN ('repetition', 'impasse')
        WHEN 8 THEN score IS NULL AND ended IN ('interrupted', 'sealed')
        WHEN 9 THEN score IS NULL AND ended NOT IN ('interrupted', 'sealed')
        WHEN 10 THEN won IS NOT NULL AND ended = 'declaration'
        WHEN 11 THEN won IS NOT NULL AND ended IN ('illegal', 'perpetual_check')
        WHEN 12 THEN won IS NOT NULL AND ended = 'timeout'
    END
    UNION ALL
    SELECT 13, 'openings', tag, NULL, game_id, plies, won
    FROM (SELECT DISTINCT t.tag, game_id FROM game_tags t JOIN selected USING (game_id)
          WHERE t.kind = 'opening' AND CASE t.side WHEN 'black' THEN black_asked WHEN 'white' THEN white_asked ELSE true END)
    JOIN told USING (game_id)
)
SELECT part, measure, japanese, count(game_id) AS games,
       round(count(game_id) / nullif((SELECT count(*) FROM selected), 0), 4) AS share, round(avg(won), 4) AS win_rate,
       round(wilson_low(sum(won), count(won)), 4) AS rate_low, round(wilson_high(sum(won), count(won)), 4) AS rate_high,
       round(avg(plies), 1) AS mean_plies
FROM rows
GROUP BY place, part, measure, japanese
ORDER BY place, games DESC, measure;
