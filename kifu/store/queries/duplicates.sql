-- duplicates: The same game more than once
-- group: care of the data
-- handicap: any
-- Games of the same start position and the same moves: rows of the database, which other players or dates keep apart, and
-- copies, which the loader found and did not load again. Short games are often the same by chance: see --min-plies.
WITH places AS (
    SELECT game_id, source_id, source_offset, 0 AS copy FROM selected
    UNION ALL
    SELECT game_id, source_id, source_offset, 1 FROM copies SEMI JOIN selected USING (game_id)
)
SELECT any_value(g.plies) AS plies, count(DISTINCT p.game_id) AS games, sum(copy)::BIGINT AS copies,
       list(DISTINCT p.game_id ORDER BY p.game_id) AS game_ids,
       list(DISTINCT concat(coalesce(g.black, '?'), ' - ', coalesce(g.white, '?'))
            ORDER BY concat(coalesce(g.black, '?'), ' - ', coalesce(g.white, '?'))) AS players,
       list(DISTINCT s.path ORDER BY s.path) AS paths
FROM places p JOIN selected g USING (game_id) LEFT JOIN sources s ON s.source_id = p.source_id
GROUP BY g.game_hash
HAVING count(*) > 1
ORDER BY games + copies DESC, game_ids;
