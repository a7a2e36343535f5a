-- Every process says each second that it lives, so that what it had in its hands when it died is taken over within seconds. Nothing
-- that changes is in an index, and there is room for new versions on the page.
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when it has been seen without a gap. A new process may judge others at once.
  steady_since timestamptz(3) NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
GRANT SELECT, INSERT, UPDATE, DELETE ON processes TO paydesk_application;

-- Who has it in hand; null when nobody does. No foreign key: a process that is forgotten holds nothing.
ALTER TABLE payments ADD COLUMN process_id uuid;
ALTER TABLE refunds ADD COLUMN process_id uuid;
ALTER TABLE collections ADD COLUMN process_id uuid;
ALTER TABLE billing_runs ADD COLUMN process_id uuid;
ALTER TABLE billing_previews ADD COLUMN process_id uuid;
ALTER TABLE webhook_deliveries ADD COLUMN process_id uuid;
GRANT UPDATE (process_id) ON refunds TO paydesk_application;

CREATE INDEX payments_in_hand ON payments (process_id) WHERE process_id IS NOT NULL AND state IN ('created', 'sending', 'unknown');
CREATE INDEX refunds_in_hand ON refunds (process_id) WHERE process_id IS NOT NULL AND state IN ('created', 'unknown');
CREATE INDEX collections_in_hand ON collections (process_id) WHERE lease IS NOT NULL;
