-- Usage of external ids that no company has yet: it waits until a company gets the id, and is then moved to the company's usage in steps.

CREATE TABLE unattributed_ids (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  external_id text COLLATE "C" NOT NULL,
  -- When its first and its last event came, on the billing clock.
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  -- The earliest time that an event has.
  oldest_time timestamptz(3) NOT NULL,
  events integer NOT NULL,
  quantity numeric NOT NULL,
  -- When the operator deleted its usage, which housekeeping then removes.
  discarded_at timestamptz(3)
);
CREATE UNIQUE INDEX unattributed_ids_waiting ON unattributed_ids (external_id) WHERE discarded_at IS NULL;
CREATE INDEX unattributed_ids_discarded ON unattributed_ids (id) WHERE discarded_at IS NOT NULL;
COMMENT ON TABLE unattributed_ids IS 'External ids that no company has, with the sums of their usage.';
GRANT SELECT, INSERT, UPDATE, DELETE ON unattributed_ids TO paydesk_application;

CREATE TABLE unattributed_events (
  -- That of a row of unattributed_ids, or of usage_attributions once a company has the external id.
  unattributed_id bigint NOT NULL,
  digest uuid NOT NULL,
  -- On the billing clock.
  came_at timestamptz(3) NOT NULL,
  happened_at timestamptz(3) NOT NULL,
  quantity bigint NOT NULL CHECK (quantity >= 0),
  path text COLLATE "C" NOT NULL,
  source text NOT NULL,
  event text NOT NULL,
  PRIMARY KEY (unattributed_id, digest)
);
COMMENT ON TABLE unattributed_events IS 'Events of external ids that no company has, and those that are still to be moved to one.';
GRANT SELECT, INSERT, DELETE ON unattributed_events TO paydesk_application;

CREATE TABLE usage_attributions (
  company_id uuid NOT NULL REFERENCES companies,
  unattributed_id bigint NOT NULL,
  -- All events up to this digest have been moved.
  moved_through uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  oldest_time timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, unattributed_id)
);
COMMENT ON TABLE usage_attributions IS 'Companies that got an external id whose usage is still being moved to them.';
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_attributions TO paydesk_application;
