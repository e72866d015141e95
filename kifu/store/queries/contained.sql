-- contained: Games that are the beginning of a longer one, as found when they were loaded
-- group: care of the data
-- handicap: any
-- Records broken off, or copies of part of a game: those of the table contained, each with the longest game that begins so.
SELECT s.game_id, s.plies, s.black, s.white, s.date, coalesce(s."end", s.verified_end) AS "end",
       l.game_id AS longer_id, l.plies AS longer_plies, l.black AS longer_black, l.white AS longer_white
FROM contained c JOIN selected s USING (game_id) JOIN games l ON l.game_id = c.longer_id
ORDER BY s.game_id;
