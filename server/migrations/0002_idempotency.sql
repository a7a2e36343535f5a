-- Answers kept for 24 hours, so that a repeated request gets the first one's answer.

CREATE TABLE idempotency_keys (
  -- The nil UUID stands for the operator.
  company_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  -- HMAC of the body: the body itself may hold a card number.
  request_hash bytea NOT NULL,
  -- Null while the request runs.
  status integer,
  body text,
  -- How long it is taken to run, unless its process renews that.
  locked_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, method, path, key)
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO paydesk_application;
