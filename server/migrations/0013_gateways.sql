-- Gateways other than the sandbox: what they call the companies, and what they tell by themselves.

CREATE TABLE gateway_customers (
  company_id uuid NOT NULL REFERENCES companies (id),
  gateway text NOT NULL,
  -- The gateway's id.
  customer text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, gateway)
);

-- What came in at a gateway's webhook, with a signature that was right. The key lets each have its effect once.
CREATE TABLE gateway_notices (
  gateway text NOT NULL,
  -- The gateway's id of it.
  id text NOT NULL,
  type text NOT NULL,
  gateway_payment_id text,
  -- What came of it. Null: it is not dealt with yet, so that a repeat is looked at again.
  outcome text CHECK (outcome IN ('settled', 'no_change', 'alerted', 'unknown_payment', 'ignored')),
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (gateway, id)
);
CREATE INDEX gateway_notices_by_time ON gateway_notices (received_at);

GRANT SELECT, INSERT, UPDATE ON gateway_customers TO paydesk_application;
GRANT SELECT, INSERT, DELETE, UPDATE (outcome) ON gateway_notices TO paydesk_application;
