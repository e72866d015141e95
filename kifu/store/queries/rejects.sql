-- rejects: Games that were refused
-- group: care of the data
-- By diagnostic, with one example; `kifu explain CODE` says more about a code.
SELECT r.code, count(*) AS games, arg_min(r.message, (r.source_id, r.game_no)) AS example,
       arg_min(s.path, (r.source_id, r.game_no)) AS path, arg_min(r.line, (r.source_id, r.game_no)) AS line
FROM rejects r LEFT JOIN sources s USING (source_id)
GROUP BY r.code
ORDER BY games DESC, r.code;
