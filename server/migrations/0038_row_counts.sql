-- What the operator lists of all companies: payments, refunds and credit notes.

-- How many rows a table has, kept by the database so that a page need not count them. Spread over 64 rows a table, so that those who write
-- at once seldom meet; and written as the last thing of a transaction, so that whoever meets waits for a commit and for no other lock.
CREATE TABLE row_counts (
  table_name text NOT NULL,
  shard smallint NOT NULL,
  counted bigint NOT NULL,
  PRIMARY KEY (table_name, shard)
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON row_counts TO paydesk_application;

CREATE FUNCTION count_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_counts AS counts (table_name, shard, counted)
  VALUES (TG_TABLE_NAME, pg_backend_pid() % 64, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
  ON CONFLICT (table_name, shard) DO UPDATE SET counted = counts.counted + excluded.counted;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER payments_counted AFTER INSERT OR DELETE ON payments
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE CONSTRAINT TRIGGER refunds_counted AFTER INSERT OR DELETE ON refunds
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
CREATE CONSTRAINT TRIGGER credit_notes_counted AFTER INSERT OR DELETE ON credit_notes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
-- The triggers hold off whoever writes until this is committed.
INSERT INTO row_counts (table_name, shard, counted)
SELECT 'payments', 0, count(*) FROM payments
UNION ALL SELECT 'refunds', 0, count(*) FROM refunds
UNION ALL SELECT 'credit_notes', 0, count(*) FROM credit_notes;

-- In the order of the lists; and the few that failed, or have not succeeded, by themselves.
CREATE INDEX payments_by_time ON payments (created_at, id);
CREATE INDEX payments_failed ON payments (created_at, id) WHERE state = 'failed';
CREATE INDEX refunds_in_order ON refunds (created_at, id);
CREATE INDEX refunds_not_succeeded ON refunds (created_at, id) WHERE state <> 'succeeded';
CREATE INDEX credit_notes_by_time ON credit_notes (created_at, id);
-- Companies numbered their own once, so that many have the same.
CREATE INDEX credit_notes_by_repeated_number ON credit_notes (number) WHERE number_series IS NULL;
