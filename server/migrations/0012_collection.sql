-- Automatic collection: when each invoice is due, and what comes next of it.

ALTER TABLE companies
  -- `by_card`: automatic as long as the company has a default card (for an invoice by PayPal, a default account).
  ADD COLUMN collection text NOT NULL DEFAULT 'by_card' CHECK (collection IN ('by_card', 'automatic', 'manual')),
  -- How many days after its issue an invoice is due.
  ADD COLUMN net_days smallint NOT NULL DEFAULT 0 CHECK (net_days BETWEEN 0 AND 120),
  -- After how many days it is tried again, from the first refusal on.
  ADD COLUMN dunning_days jsonb NOT NULL DEFAULT '[2, 5, 7, 7]';

-- Fixed with the invoice.
ALTER TABLE invoices ADD COLUMN due_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE invoices SET due_at = created_at;

-- The operator looks for invoices of all companies.
CREATE INDEX invoices_by_number ON invoices (number);
CREATE INDEX invoices_unpaid ON invoices (status, id) WHERE status <> 'Succeeded';

-- Which attempt of the collection it is; null when a person paid. The key keeps two workers from making the same attempt.
ALTER TABLE payments ADD COLUMN collection_attempt integer;
CREATE UNIQUE INDEX payments_collection_attempt_taken ON payments (company_id, invoice_id, collection_attempt)
  WHERE collection_attempt IS NOT NULL;

-- One row an invoice: what the collection does next. Times are those of the billing clock, but for the lease.
CREATE TABLE collections (
  company_id uuid NOT NULL REFERENCES companies (id),
  invoice_id uuid NOT NULL,
  due_at timestamptz(3) NOT NULL,
  -- `awaiting_outcome`: nobody knows yet what became of a payment. `exhausted`: it was refused as often as it is tried.
  state text NOT NULL DEFAULT 'scheduled'
    CHECK (state IN ('scheduled', 'awaiting_outcome', 'awaiting_payment_method', 'manual', 'exhausted', 'closed')),
  next_attempt_at timestamptz(3),
  -- The gateway of the card or account that would be charged, by which workers claim; `none` where there is nothing to charge. A charge
  -- goes by the card or account itself.
  gateway text NOT NULL DEFAULT 'none',
  -- How many attempts there were, of whatever outcome.
  attempts integer NOT NULL DEFAULT 0,
  -- How often the bank refused this card in a row, and how often the gateway was out of reach in a row.
  card_id uuid,
  declines integer NOT NULL DEFAULT 0,
  outages integer NOT NULL DEFAULT 0,
  -- The payment whose outcome it waits for, or is to note.
  payment_id uuid,
  -- Which worker is at it, and until when it is left to that one.
  lease uuid,
  leased_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, invoice_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, card_id) REFERENCES cards (company_id, id),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  CHECK ((state = 'scheduled') = (next_attempt_at IS NOT NULL)),
  CHECK (state <> 'awaiting_outcome' OR payment_id IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX collections_due ON collections (gateway, next_attempt_at) WHERE state = 'scheduled';

-- What changes the outlook of a collection wakes it, in the same transaction: so nothing is forgotten, whoever changes it and whatever
-- crashes. A woken one is scheduled for when its invoice is due, which mostly was before: a worker looks what there is to do. What
-- another card or account wakes stands in 0019, and so does `source_to_charge`.
CREATE FUNCTION begin_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO collections (company_id, invoice_id, due_at, next_attempt_at, gateway)
  SELECT added.company_id, added.id, due_at, due_at, chargeable.gateway
  FROM added CROSS JOIN LATERAL source_to_charge(added.company_id, added.method) AS chargeable
  ORDER BY added.company_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_to_collect AFTER INSERT ON invoices
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION begin_collections();

CREATE FUNCTION wake_collections_by_setting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections SET state = 'scheduled', next_attempt_at = due_at, updated_at = now()
  WHERE company_id = NEW.id AND state = 'manual';
  RETURN NULL;
END
$$;
CREATE TRIGGER companies_to_collect AFTER UPDATE ON companies FOR EACH ROW
  WHEN (NEW.collection <> OLD.collection AND NEW.collection <> 'manual') EXECUTE FUNCTION wake_collections_by_setting();

CREATE FUNCTION wake_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = due_at, updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state = 'awaiting_outcome' AND payment_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_to_collect AFTER UPDATE ON payments FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state IN ('captured', 'failed')) EXECUTE FUNCTION wake_collection_by_payment();

GRANT SELECT, INSERT, UPDATE ON collections TO paydesk_application;
