-- What labels are on: agents, tickets and customers.
CREATE TABLE label_assignments (
  company_id uuid NOT NULL,
  type text COLLATE "C" NOT NULL CHECK (type IN ('agent', 'ticket', 'customer')),
  -- Of an agent the id of the user; of others what the services that have them call them.
  id text COLLATE "C" NOT NULL,
  label_id uuid NOT NULL,
  -- The order in which labels were assigned.
  number bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (company_id, type, id, label_id),
  FOREIGN KEY (company_id, label_id) REFERENCES labels (company_id, id) ON DELETE CASCADE
);
CREATE INDEX label_assignments_of_label ON label_assignments (company_id, label_id, type, number) INCLUDE (id);
GRANT SELECT, INSERT, DELETE ON label_assignments TO paydesk_application;

-- How many records have a label, by type, spread over a few rows as in label_counts.
CREATE TABLE label_assignment_counts (
  company_id uuid NOT NULL,
  label_id uuid NOT NULL,
  shard smallint NOT NULL,
  agents bigint NOT NULL,
  tickets bigint NOT NULL,
  customers bigint NOT NULL,
  PRIMARY KEY (company_id, label_id, shard),
  FOREIGN KEY (company_id, label_id) REFERENCES labels (company_id, id) ON DELETE CASCADE
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON label_assignment_counts TO paydesk_application;

-- Only grows: while its sum stands still, so do the counts of the company's labels.
ALTER TABLE label_counts ADD COLUMN assignment_changes bigint NOT NULL DEFAULT 0;

CREATE FUNCTION count_label_assignments() RETURNS trigger LANGUAGE plpgsql AS $$
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
  SELECT DISTINCT company_id, pg_backend_pid() % 16, 0, 0, 1 FROM changed
  ON CONFLICT (company_id, shard) DO UPDATE SET assignment_changes = counts.assignment_changes + 1;
  RETURN NULL;
END
$$;
CREATE TRIGGER label_assignments_inserted AFTER INSERT ON label_assignments
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_label_assignments();
CREATE TRIGGER label_assignments_deleted AFTER DELETE ON label_assignments
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_label_assignments();
