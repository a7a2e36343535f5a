-- Whoever locks several rows locks them in one order, so that nobody waits in a circle.

-- A new row of counts gets a number by chance: two writers that took the same one would wait for each other's commit.
CREATE OR REPLACE FUNCTION count_label_assignments()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO label_assignment_counts AS counts (company_id, label_id, shard, agents, tickets, customers)
  SELECT company_id, label_id, pg_backend_pid() % 16, sign * agents, sign * tickets, sign * customers
  FROM (
    SELECT company_id, label_id, count(*) FILTER (WHERE type = 'agent') AS agents,
           count(*) FILTER (WHERE type = 'ticket') AS tickets, count(*) FILTER (WHERE type = 'customer') AS customers
    FROM changed
    GROUP BY company_id, label_id
  ) AS counted
  -- The counts of a label that is being deleted go with it.
  WHERE EXISTS (SELECT FROM labels WHERE labels.company_id = counted.company_id AND labels.id = counted.label_id)
  ORDER BY company_id, label_id
  ON CONFLICT (company_id, label_id, shard)
    DO UPDATE SET agents = counts.agents + excluded.agents, tickets = counts.tickets + excluded.tickets,
                  customers = counts.customers + excluded.customers;
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes, assignment_changes)
  SELECT company_id,
         coalesce(
           (SELECT shard FROM label_counts WHERE company_id = assigned.company_id ORDER BY shard LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
           (random() * 32767)::smallint
         ),
         0, 0, 1
  FROM (SELECT DISTINCT company_id FROM changed) AS assigned
  ON CONFLICT (company_id, shard) DO UPDATE SET assignment_changes = counts.assignment_changes + 1;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes)
  SELECT company_id,
         coalesce(
           (SELECT shard FROM label_counts WHERE company_id = counted.company_id ORDER BY shard LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
           (random() * 32767)::smallint
         ),
         CASE TG_OP WHEN 'INSERT' THEN labels WHEN 'DELETE' THEN -labels ELSE 0 END, 1
  FROM (SELECT company_id, count(*) AS labels FROM changed GROUP BY company_id) AS counted
  ON CONFLICT (company_id, shard)
    DO UPDATE SET labels = counts.labels + excluded.labels, changes = counts.changes + 1;
  RETURN NULL;
END
$$;

-- Two members may be in each other's entries: what is about a person is locked in the order of the chain, before it is changed.
CREATE OR REPLACE FUNCTION forget_audit_person(company uuid, person uuid, email text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $$
  SELECT FROM audit_entries
  WHERE company_id = company AND sequence IN (
    SELECT sequence FROM audit_entries WHERE company_id = company AND actor = person::text
    UNION
    SELECT sequence FROM audit_entries WHERE company_id = company AND target = person::text
    UNION
    SELECT sequence FROM audit_entries
    WHERE company_id = company AND persons ? 'target' AND lower((persons ->> 'target')::json ->> 'name') = lower(email)
  )
  ORDER BY sequence FOR NO KEY UPDATE;
  UPDATE audit_entries SET persons = persons - 'actor'
  WHERE company_id = company AND actor = person::text AND persons ? 'actor';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND target = person::text AND persons ? 'target';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND actor = person::text AND action LIKE 'passkey.%' AND persons ? 'target';
  UPDATE audit_entries SET persons = persons - 'target'
  WHERE company_id = company AND persons ? 'target'
    AND lower((persons ->> 'target')::json ->> 'name') = lower(email);
$$;

-- Housekeeping passes over rows that somebody else has locked, and PostgreSQL asks for this privilege to lock a row.
GRANT UPDATE (id) ON login_failures, webhook_attempts TO paydesk_application;
GRANT UPDATE (hash) ON email_reverts, passkey_challenges TO paydesk_application;
