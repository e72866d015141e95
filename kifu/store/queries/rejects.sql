-- rejects: Games that were refused
-- By diagnostic, with one example; `kifu explain CODE` says more about a code.
SELECT r.code, count(*) AS games, any_value(r.message) AS example, arg_min(s.path, s.source_id) AS path,
       arg_min(r.line, s.source_id) AS line
FROM rejects r LEFT JOIN sources s USING (source_id)
GROUP BY r.code
ORDER BY games DESC, r.code;
