-- Invoices, and the attempts to charge them.

-- An amount as answers write it: two decimals at least, more for a currency whose minor unit has more.
CREATE FUNCTION money_text(amount numeric, minor_unit_digits integer) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN round(amount, greatest(2, minor_unit_digits))::text;

CREATE TABLE invoice_numbers (
  company_id uuid PRIMARY KEY REFERENCES companies (id),
  last_number bigint NOT NULL
);

CREATE TABLE invoices (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  number text NOT NULL,
  bill_to_id uuid NOT NULL,
  payment_id uuid,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3) NOT NULL,
  method text NOT NULL CHECK (method IN ('Card', 'paypal')),
  status text NOT NULL DEFAULT 'Processing' CHECK (status IN ('Processing', 'Succeeded', 'Failed')),
  currency text NOT NULL,
  -- How many decimals the currency's minor unit has; fixed with the invoice.
  minor_unit_digits smallint NOT NULL,
  tax_rate numeric NOT NULL,
  sub_total numeric(20, 4) NOT NULL,
  tax numeric(20, 4) NOT NULL,
  total numeric(20, 4) NOT NULL CHECK (total >= 0),
  -- The line items as every answer shows them. Text, not jsonb: an amount keeps the digits that it was issued with.
  details json NOT NULL,
  metadata jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT invoices_number_taken UNIQUE (company_id, number),
  CHECK (end_at > start_at),
  CHECK (total = sub_total + tax),
  CHECK ((status = 'Succeeded') = (payment_id IS NOT NULL)),
  FOREIGN KEY (company_id, bill_to_id) REFERENCES billing_information (company_id, id)
);
-- The order of the list. Amount and end stand in it to be filtered on without a look at the rows.
CREATE INDEX invoices_by_period ON invoices (company_id, start_at, id, total, end_at);
CREATE INDEX invoices_by_status ON invoices (company_id, status, start_at, id);
CREATE INDEX invoices_by_method ON invoices (company_id, method, start_at, id);
CREATE INDEX invoices_by_total ON invoices (company_id, total);

-- A payment is one attempt to charge an invoice.
CREATE TABLE payments (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- Null for an invoice of zero, which needs no card.
  card_id uuid,
  method text NOT NULL CHECK (method IN ('Card', 'paypal')),
  -- What is charged, fixed before the gateway hears of it.
  gateway text NOT NULL,
  gateway_token text,
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  currency text NOT NULL,
  state text NOT NULL CHECK (state IN ('created', 'sending', 'unknown', 'needs_review', 'captured', 'failed')),
  gateway_payment_id text,
  decline_code text,
  -- Why it failed: declined by the bank, not sent, refused by the gateway, canceled.
  failure_reason text CHECK (failure_reason IN ('declined', 'not_sent', 'rejected', 'canceled')),
  -- What disputes have taken of it by now: kept by the trigger of their movements.
  withdrawn_minor bigint NOT NULL DEFAULT 0,
  -- When the reconciler looks at it next, and how often it has. The payment is its own job.
  reconcile_at timestamptz(3),
  reconcile_count integer NOT NULL DEFAULT 0,
  last_reconciled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, card_id) REFERENCES cards (company_id, id),
  CHECK ((state = 'failed') = (failure_reason IS NOT NULL))
);
-- The guard against a second charge: one payment of an invoice that is not failed.
CREATE UNIQUE INDEX payments_one_live ON payments (company_id, invoice_id) WHERE state <> 'failed';
-- No two payments own one object of a gateway, of whatever company they are: what it captures is one invoice's money.
CREATE UNIQUE INDEX payments_gateway_object_taken ON payments (gateway, gateway_payment_id) WHERE gateway_payment_id IS NOT NULL;
CREATE INDEX payments_of_invoice ON payments (company_id, invoice_id, created_at, id);
CREATE INDEX payments_to_reconcile ON payments (gateway, reconcile_at) WHERE state IN ('created', 'sending', 'unknown');

ALTER TABLE invoices ADD FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id);

-- What a person has to look at.
CREATE TABLE alerts (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  kind text NOT NULL,
  payment_id uuid NOT NULL,
  message text NOT NULL,
  -- Since when a person has it in hand.
  acknowledged_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id)
);

CREATE INDEX alerts_by_kind ON alerts (kind, created_at);
-- The order of the operator's list, and what of it is still to be looked at.
CREATE INDEX alerts_by_id ON alerts (id);
CREATE INDEX alerts_open ON alerts (id) WHERE acknowledged_at IS NULL;

-- How many invoices a company has of each status and method, and how often any of them changed; see label_counts.
CREATE TABLE invoice_counts (
  company_id uuid NOT NULL REFERENCES companies (id),
  status text NOT NULL,
  method text NOT NULL,
  invoices bigint NOT NULL,
  changes bigint NOT NULL,
  PRIMARY KEY (company_id, status, method)
) WITH (fillfactor = 50);

CREATE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Ordered, so that two transactions lock the rows in the same order.
  INSERT INTO invoice_counts AS counts (company_id, status, method, invoices, changes)
  SELECT company_id, status, method, CASE TG_ARGV[0] WHEN 'added' THEN count(*) ELSE -count(*) END, 1
  FROM changed
  GROUP BY company_id, status, method
  ORDER BY company_id, status, method
  ON CONFLICT (company_id, status, method)
    DO UPDATE SET invoices = counts.invoices + excluded.invoices, changes = counts.changes + 1;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_added AFTER INSERT ON invoices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('added');
CREATE TRIGGER invoices_changed_from AFTER UPDATE ON invoices
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('removed');
CREATE TRIGGER invoices_changed_to AFTER UPDATE ON invoices
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_invoices('added');

GRANT SELECT, INSERT, UPDATE ON invoice_numbers, invoices, payments, invoice_counts TO paydesk_application;
GRANT SELECT, INSERT ON alerts TO paydesk_application;
GRANT UPDATE (acknowledged_at) ON alerts TO paydesk_application;
