-- What texts that differ only in case have in common: Unicode's full case folding, made of what every version of ICU has.
-- Upper case after lower case makes ß SS and ﬀ FF; lower case then tells a σ at the end of a word from others, which is taken
-- back. ı, i, I and İ are one letter: which of them is whose capital depends on the language. The result is lower case, so
-- that pg_trgm, which lowers words by themselves and by the database's own locale, changes nothing more.
CREATE FUNCTION fold_case(value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN replace(replace(lower(upper(lower(value COLLATE "und-x-icu"))), 'ς', 'σ'), U&'i\0307', 'i');

CREATE TABLE labels (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  -- ICU's root collation sorts names as people do, whatever locale the database was made with.
  name text COLLATE "und-x-icu" NOT NULL,
  -- How names are compared: without case. "C" makes equality and LIKE plain byte work.
  name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_case(name)) STORED,
  description text COLLATE "und-x-icu" NOT NULL,
  color text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX labels_name_taken ON labels (company_id, name_key);
CREATE INDEX labels_by_name ON labels (company_id, name, id);
CREATE INDEX labels_by_creation ON labels (company_id, created_at, id);
CREATE INDEX labels_search ON labels USING gin (company_id, name_key gin_trgm_ops);

-- How many labels a company has, kept by the database so that a page need not count them. Spread over a few rows, one
-- for each backend modulo 16, so that writers of one company do not wait for each other. `changes` only grows: while
-- its sum stands still, so does every count taken from the labels.
CREATE TABLE label_counts (
  company_id uuid NOT NULL REFERENCES companies (id),
  shard smallint NOT NULL,
  labels bigint NOT NULL,
  changes bigint NOT NULL,
  PRIMARY KEY (company_id, shard)
) WITH (fillfactor = 50);

CREATE FUNCTION count_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes)
  SELECT company_id, pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN count(*) WHEN 'DELETE' THEN -count(*) ELSE 0 END, 1
  FROM changed
  GROUP BY company_id
  ON CONFLICT (company_id, shard)
    DO UPDATE SET labels = counts.labels + excluded.labels, changes = counts.changes + 1;
  RETURN NULL;
END
$$;
CREATE TRIGGER labels_inserted AFTER INSERT ON labels
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_updated AFTER UPDATE ON labels
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();
CREATE TRIGGER labels_deleted AFTER DELETE ON labels
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_labels();

GRANT SELECT, INSERT, UPDATE, DELETE ON labels TO paydesk_application;
GRANT SELECT, INSERT, UPDATE ON label_counts TO paydesk_application;
