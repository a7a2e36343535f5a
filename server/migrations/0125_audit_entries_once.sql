-- What an entry of the audit log says is stored once: where its transaction has written it. Chaining it adds its place in the chain beside
-- it, and copies nothing. Entries that were chained before stay as they are, with what they say in their rows.

ALTER TABLE audit_pending RENAME TO audit_contents;
ALTER TABLE audit_contents RENAME CONSTRAINT audit_pending_pkey TO audit_contents_pkey;
COMMENT ON TABLE audit_contents IS 'What the entries of the audit log say; append-only. Entries that were chained before this table '
  'existed have their content in audit_entries.';
CREATE INDEX audit_contents_by_request ON audit_contents ((content ->> 'requestId'), id);
CREATE INDEX audit_contents_by_name ON audit_contents (company_id, lower((persons ->> 'target')::json ->> 'name'))
WHERE persons ? 'target';

CREATE TABLE audit_pending (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (company_id, id)
);
GRANT SELECT, INSERT ON audit_pending TO paydesk_application;
COMMENT ON TABLE audit_pending IS 'Entries of the audit log that no chain has yet; a function of the owner removes them.';
INSERT INTO audit_pending SELECT company_id, id FROM audit_contents;

ALTER TABLE audit_entries
  ALTER COLUMN content DROP NOT NULL,
  ALTER COLUMN persons DROP NOT NULL,
  ALTER COLUMN action DROP EXPRESSION,
  ALTER COLUMN actor DROP EXPRESSION,
  ALTER COLUMN target DROP EXPRESSION;
COMMENT ON TABLE audit_entries IS 'The chains of the audit log; the service’s role can only read them.';

-- Without statistics of how long it is, PostgreSQL would read all of audit_pending for each company.
CREATE OR REPLACE FUNCTION chain_audit_entries(company uuid, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
DECLARE
  head audit_heads;
  entry audit_contents;
  new_hash bytea;
  moved uuid[] := '{}';
BEGIN
  IF NOT EXISTS (SELECT FROM audit_pending WHERE company_id = company) THEN RETURN 0; END IF;
  INSERT INTO audit_heads (company_id) VALUES (company) ON CONFLICT DO NOTHING;
  -- Whoever chains the same company waits here. The statements below see what that transaction has chained.
  SELECT * INTO head FROM audit_heads WHERE company_id = company FOR UPDATE;
  FOR entry IN
    SELECT contents.* FROM (SELECT id FROM audit_pending WHERE company_id = company ORDER BY id LIMIT most) AS pending
    JOIN audit_contents AS contents ON contents.company_id = company AND contents.id = pending.id
    ORDER BY pending.id
  LOOP
    new_hash := sha256(convert_to(
      concat_ws(E'\n', coalesce(encode(head.hash, 'hex'), ''), head.entries + 1, entry.content::text), 'UTF8'));
    INSERT INTO audit_entries (company_id, sequence, id, previous_hash, hash, action, actor, target)
    VALUES (company, head.entries + 1, entry.id, head.hash, new_hash, entry.content ->> 'action',
            entry.content #>> '{actor,id}', entry.content #>> '{target,id}');
    head.entries := head.entries + 1;
    head.hash := new_hash;
    moved := moved || entry.id;
  END LOOP;
  DELETE FROM audit_pending WHERE company_id = company AND id = ANY (moved);
  UPDATE audit_heads SET entries = head.entries, hash = head.hash WHERE company_id = company;
  RETURN cardinality(moved);
END
$$;
COMMENT ON FUNCTION chain_audit_entries(uuid, integer) IS
  'Gives committed entries of a company their places at the end of its chain, with their numbers and hashes.';

CREATE OR REPLACE FUNCTION forget_audit_person(company uuid, person uuid, email text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  forgotten record;
  named uuid[] := ARRAY(
    SELECT id FROM audit_entries
    WHERE company_id = company AND persons ? 'target' AND lower((persons ->> 'target')::json ->> 'name') = lower(email)
    UNION ALL
    SELECT id FROM audit_contents
    WHERE company_id = company AND persons ? 'target' AND lower((persons ->> 'target')::json ->> 'name') = lower(email)
  );
BEGIN
  -- Two members may be in each other's entries: what is about a person is locked in the order of the chain, before it is changed.
  FOR forgotten IN
    SELECT id, actor IS NOT DISTINCT FROM person::text AS as_actor,
           target IS NOT DISTINCT FROM person::text OR id = ANY (named)
           OR (actor IS NOT DISTINCT FROM person::text AND action LIKE 'passkey.%') AS as_target
    FROM audit_entries
    WHERE company_id = company AND sequence IN (
      SELECT sequence FROM audit_entries WHERE company_id = company AND actor = person::text
      UNION
      SELECT sequence FROM audit_entries WHERE company_id = company AND target = person::text
      UNION
      SELECT sequence FROM audit_entries WHERE company_id = company AND id = ANY (named)
    )
    ORDER BY sequence FOR NO KEY UPDATE
  LOOP
    UPDATE audit_contents
    SET persons = persons - CASE WHEN forgotten.as_actor THEN 'actor' ELSE '' END - CASE WHEN forgotten.as_target THEN 'target' ELSE '' END
    WHERE company_id = company AND id = forgotten.id;
    UPDATE audit_entries
    SET persons = persons - CASE WHEN forgotten.as_actor THEN 'actor' ELSE '' END - CASE WHEN forgotten.as_target THEN 'target' ELSE '' END
    WHERE company_id = company AND id = forgotten.id AND persons IS NOT NULL;
  END LOOP;
END
$$;
COMMENT ON FUNCTION forget_audit_person(uuid, uuid, text) IS 'Empties what a company’s entries have about a person.';
