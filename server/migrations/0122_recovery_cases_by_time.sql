-- A page of the cases of a recovery and their number are read from this index alone. No statement uses the index of those in line any more.
CREATE INDEX recovery_cases_by_time ON recovery_cases (happened_at, id) INCLUDE (state, review_of);
DROP INDEX recovery_cases_in_line;
