-- A connection wrote its own of sixteen rows for each company, which two connections shared by chance: one of them then waited for the
-- commit of the other. Now it adds to a row that nobody is writing, and makes another one where there is none.
CREATE OR REPLACE FUNCTION count_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO label_counts AS counts (company_id, shard, labels, changes)
  SELECT company_id,
         coalesce(
           (SELECT shard FROM label_counts WHERE company_id = counted.company_id ORDER BY shard LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
           (SELECT max(shard) + 1 FROM label_counts WHERE company_id = counted.company_id),
           0
         ),
         CASE TG_OP WHEN 'INSERT' THEN labels WHEN 'DELETE' THEN -labels ELSE 0 END, 1
  FROM (SELECT company_id, count(*) AS labels FROM changed GROUP BY company_id) AS counted
  ON CONFLICT (company_id, shard)
    DO UPDATE SET labels = counts.labels + excluded.labels, changes = counts.changes + 1;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_label_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
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
           (SELECT max(shard) + 1 FROM label_counts WHERE company_id = assigned.company_id),
           0
         ),
         0, 0, 1
  FROM (SELECT DISTINCT company_id FROM changed) AS assigned
  ON CONFLICT (company_id, shard) DO UPDATE SET assignment_changes = counts.assignment_changes + 1;
  RETURN NULL;
END
$$;
