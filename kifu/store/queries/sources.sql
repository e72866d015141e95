-- sources: Where the games come from
-- group: care of the data
-- handicap: any
-- One row a file, or member of an archive: its games among those chosen, its legal games as a whole (duplicates of games
-- in other files included), its refused ones, and the dates of the games chosen.
SELECT s.path, s.format, s.encoding, s.size, count(g.game_id) AS games, any_value(s.games_ok) AS games_ok,
       any_value(s.games_rejected) AS games_rejected, min(g.date) AS first_date, max(g.date) AS last_date
FROM sources s LEFT JOIN selected g USING (source_id)
GROUP BY s.source_id, s.path, s.format, s.encoding, s.size
ORDER BY s.path, s.source_id;
