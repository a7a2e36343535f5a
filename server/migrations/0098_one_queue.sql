CREATE TABLE schedules (
  name text PRIMARY KEY,
  next_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When it last succeeded, and how often it has failed since.
  last_run_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  lease uuid,
  leased_until timestamptz(3),
  process_id uuid
);
COMMENT ON TABLE schedules IS 'Work that begins by the clock, and when; each row is its own job, leased to one process at a time.';
GRANT SELECT, INSERT, UPDATE ON schedules TO paydesk_application;

CREATE TABLE job_failures (
  company_id uuid NOT NULL,
  kind text NOT NULL,
  record text NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  error text NOT NULL,
  failed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, kind, record)
);
COMMENT ON TABLE job_failures IS
  'The latest error of a job that is not done, for the operator; the tables of the jobs say what is due. The nil UUID stands for a job of '
  'no company; kept 30 days.';
CREATE INDEX job_failures_by_age ON job_failures (failed_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON job_failures TO paydesk_application;

-- Which process detaches the source, or acts on the gateway event, so that what a dead process has left is due again at once.
ALTER TABLE cards ADD COLUMN process_id uuid;
ALTER TABLE paypal_accounts ADD COLUMN process_id uuid;
ALTER TABLE gateway_notices ADD COLUMN process_id uuid;
GRANT UPDATE (process_id) ON gateway_notices TO paydesk_application;
CREATE INDEX cards_in_hand ON cards (process_id) WHERE process_id IS NOT NULL AND detach_at IS NOT NULL;
CREATE INDEX paypal_accounts_in_hand ON paypal_accounts (process_id) WHERE process_id IS NOT NULL AND detach_at IS NOT NULL;
CREATE INDEX gateway_notices_in_hand ON gateway_notices (process_id) WHERE process_id IS NOT NULL AND outcome IS NULL;
