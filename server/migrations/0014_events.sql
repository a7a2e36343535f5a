-- Outgoing events: what happened, and which webhook endpoint is told.

-- Written by the transaction that makes the change. Append-only, so that what was told stays as it was told; housekeeping removes
-- what is old, by a function that works as the owner. No foreign key: it would cost each change a look-up, and whoever writes a
-- row has just written one of the same company.
CREATE TABLE events (
  -- The nil UUID where no company is concerned: a customer's sign-up.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  -- As the API showed it then.
  data json NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
-- The order of the operator's list, and of one type in it. Labels are many, so they are found by the first as well, and pay for one.
CREATE INDEX events_listed ON events (created_at, id);
CREATE INDEX events_of_type ON events (type, created_at, id) WHERE type NOT LIKE 'label.%';

CREATE TABLE webhook_endpoints (
  -- The nil UUID: the operator's, which is told of every company.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  -- Types such as invoice.created, and groups such as invoice.*; empty is all of them.
  types text[] NOT NULL,
  -- `failing`: an event was not delivered in all its tries, and none has been since. `disabled`: it said 410 Gone, or its owner did.
  status text NOT NULL DEFAULT 'enabled' CHECK (status IN ('enabled', 'failing', 'disabled')),
  -- Encrypted with a key that is not in the database. The one before signs too until its time is over.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);

-- An event that an endpoint is to be told of, written with the event by the same statement. It is its own job.
CREATE TABLE webhook_deliveries (
  company_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  -- The event, and the company that it is about: the endpoint's own, or any where the endpoint is the operator's.
  event uuid NOT NULL,
  about uuid NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  -- Tries since it was scheduled, or replayed last.
  tries integer NOT NULL DEFAULT 0,
  -- When it is tried next; a claim moves it ahead, so that another process takes over when this one dies. Null when it has ended.
  next_attempt_at timestamptz(3),
  -- Which claim it is under, and until when.
  lease uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, endpoint_id, event),
  FOREIGN KEY (company_id, endpoint_id) REFERENCES webhook_endpoints (company_id, id) ON DELETE CASCADE,
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((lease IS NULL) = (leased_until IS NULL))
);
-- What waits, endpoint by endpoint; and what is being sent.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (company_id, endpoint_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (company_id, endpoint_id) WHERE lease IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (company_id, endpoint_id) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at) WHERE state <> 'pending';

-- Each try, with what came of it.
CREATE TABLE webhook_attempts (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event uuid NOT NULL,
  -- Of the delivery, since it was scheduled or replayed last.
  try integer NOT NULL,
  -- Null where no answer came.
  status integer,
  duration_ms integer NOT NULL,
  -- Why it failed, in a word; null when it did not.
  failure text,
  response text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, endpoint_id) REFERENCES webhook_endpoints (company_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_attempts_of_endpoint ON webhook_attempts (company_id, endpoint_id, id);
CREATE INDEX webhook_attempts_by_age ON webhook_attempts (created_at);

GRANT SELECT, INSERT ON events TO paydesk_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints TO paydesk_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries TO paydesk_application;
GRANT SELECT, INSERT, DELETE ON webhook_attempts TO paydesk_application;

-- Removes events of more than ninety days ago, so many at most. All that the service's role can do to an event.
CREATE FUNCTION remove_old_events(most integer) RETURNS integer
  LANGUAGE sql SECURITY DEFINER
  BEGIN ATOMIC
    WITH removed AS (
      DELETE FROM events WHERE (company_id, id) IN (
        SELECT company_id, id FROM events WHERE created_at < now() - interval '90 days' ORDER BY created_at LIMIT most)
      RETURNING 1
    )
    SELECT count(*)::integer FROM removed;
  END;
