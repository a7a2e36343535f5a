-- The audit log: who changed what. Each company's entries are a chain, in which each entry has the hash of the one before; what concerns
-- no company is in a chain of its own, under the nil UUID.

-- What transactions have written and no chain has yet. An entry is chained after its commit, so that transactions of a company do not wait
-- for each other.
CREATE TABLE audit_pending (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The entry as its hash covers it. Of the parts about persons it has digests.
  content json NOT NULL,
  -- Those parts, `actor` and `target`, each as JSON text that begins with a random salt.
  persons jsonb NOT NULL,
  PRIMARY KEY (company_id, id)
);
GRANT SELECT, INSERT ON audit_pending TO paydesk_application;

CREATE TABLE audit_entries (
  company_id uuid NOT NULL,
  -- From 1, without a gap.
  sequence bigint NOT NULL,
  id uuid NOT NULL,
  content json NOT NULL,
  -- Without the parts about persons whose accounts were deleted.
  persons jsonb NOT NULL,
  -- Null in the first entry.
  previous_hash bytea,
  hash bytea NOT NULL,
  action text COLLATE "C" NOT NULL GENERATED ALWAYS AS (content ->> 'action') STORED,
  actor text COLLATE "C" GENERATED ALWAYS AS (content #>> '{actor,id}') STORED,
  target text COLLATE "C" GENERATED ALWAYS AS (content #>> '{target,id}') STORED,
  PRIMARY KEY (company_id, sequence),
  CHECK ((sequence = 1) = (previous_hash IS NULL))
);
-- The order of the lists, newest first, for a company and for the operator. An id begins with its time.
CREATE INDEX audit_entries_of_company ON audit_entries (company_id, id);
CREATE INDEX audit_entries_listed ON audit_entries (id);
CREATE INDEX audit_entries_by_action ON audit_entries (action, company_id, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, id) WHERE actor IS NOT NULL;
CREATE INDEX audit_entries_by_target ON audit_entries (target, id) WHERE target IS NOT NULL;
GRANT SELECT ON audit_entries TO paydesk_application;

-- How many entries each chain has, and the hash of the last one.
CREATE TABLE audit_heads (
  company_id uuid PRIMARY KEY,
  entries bigint NOT NULL DEFAULT 0,
  hash bytea
);
GRANT SELECT ON audit_heads TO paydesk_application;

-- Moves up to so many committed entries of a company from audit_pending to the end of its chain. Returns how many it moved.
CREATE FUNCTION chain_audit_entries(company uuid, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads;
  entry audit_pending;
  new_hash bytea;
  moved uuid[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM audit_pending WHERE company_id = company) THEN RETURN 0; END IF;
  INSERT INTO audit_heads (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  -- Whoever chains the same company waits here. The statements below see what that transaction has moved.
  SELECT * INTO head FROM audit_heads WHERE company_id = company FOR UPDATE;
  FOR entry IN SELECT * FROM audit_pending WHERE company_id = company ORDER BY id LIMIT most LOOP
    new_hash := sha256(convert_to(
      concat_ws(E'\n', coalesce(encode(head.hash, 'hex'), ''), head.entries + 1, entry.content::text), 'UTF8'));
    INSERT INTO audit_entries (company_id, sequence, id, content, persons, previous_hash, hash)
    VALUES (company, head.entries + 1, entry.id, entry.content, entry.persons, head.hash, new_hash);
    head.entries := head.entries + 1;
    head.hash := new_hash;
    moved := moved || entry.id;
  END LOOP;
  DELETE FROM audit_pending WHERE company_id = company AND id = ANY (moved);
  UPDATE audit_heads SET entries = head.entries, hash = head.hash WHERE company_id = company;
  RETURN cardinality(moved);
END
$$;

-- Empties what a chain has about a person: as actor, as target, and as target by e-mail alone. The hashes stay right, because they cover
-- only digests of it.
CREATE FUNCTION forget_audit_person(company uuid, person uuid, email text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE audit_entries SET persons = persons - 'actor'
  WHERE company_id = company AND actor = person::text AND persons ? 'actor';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND target = person::text AND persons ? 'target';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND persons ? 'target'
    AND lower((persons ->> 'target')::json ->> 'name') = lower(email);
$$;
