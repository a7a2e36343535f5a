-- Refunds, and the double-entry ledger of everything that changes what is owed.

-- A refund gives back what a payment took: to the card, and what was paid with credit as credit.
CREATE TABLE refunds (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- Null when earlier credit notes cover it.
  credit_note_id uuid,
  gateway text NOT NULL,
  -- What goes back to the card, fixed before the gateway hears of it, and what becomes credit again.
  amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
  credit_minor bigint NOT NULL CHECK (credit_minor >= 0),
  currency text NOT NULL,
  reason text NOT NULL,
  -- Who gave it back: the operator here, or somebody at the gateway, of which we were told afterwards.
  source text NOT NULL DEFAULT 'operator' CHECK (source IN ('operator', 'gateway')),
  -- What the operator asked for with this key is answered with this refund, for ever.
  idempotency_key text,
  state text NOT NULL CHECK (state IN ('created', 'unknown', 'needs_review', 'succeeded', 'failed')),
  gateway_refund_id text,
  -- When the reconciler looks at it next, and how often it has. The refund is its own job.
  reconcile_at timestamptz(3),
  reconcile_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT refunds_key_taken UNIQUE (company_id, payment_id, idempotency_key),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, credit_note_id) REFERENCES credit_notes (company_id, id),
  CHECK (amount_minor + credit_minor > 0),
  CHECK (state <> 'succeeded' OR amount_minor = 0 OR gateway_refund_id IS NOT NULL),
  CHECK ((state IN ('created', 'unknown')) = (reconcile_at IS NOT NULL)),
  CHECK (source = 'operator' OR (credit_minor = 0 AND idempotency_key IS NULL))
);
CREATE UNIQUE INDEX refunds_gateway_object_taken ON refunds (gateway, gateway_refund_id) WHERE gateway_refund_id IS NOT NULL;
CREATE INDEX refunds_of_payment ON refunds (company_id, payment_id, id);
CREATE INDEX refunds_of_invoice ON refunds (company_id, invoice_id);
CREATE INDEX refunds_to_reconcile ON refunds (gateway, reconcile_at) WHERE state IN ('created', 'unknown');
CREATE INDEX refunds_by_time ON refunds (gateway, created_at, id);
CREATE INDEX refunds_by_id ON refunds (id);

-- The operator names a payment by its id alone, and compares the gateway's books with ours by time.
CREATE INDEX payments_by_id ON payments (id);
CREATE INDEX payments_captured_by_time ON payments (gateway, created_at, id) WHERE state = 'captured';

-- What of the invoice was given back: noted when a refund has succeeded.
ALTER TABLE invoices ADD COLUMN refunded_total numeric(20, 4) NOT NULL DEFAULT 0,
  ADD CONSTRAINT invoices_refunded_within_credited CHECK (refunded_total BETWEEN 0 AND credited_total);

-- All refunds of a payment that have not failed come to no more than it took, of the card and of the credit, and than no dispute has
-- withdrawn. Its row is locked first, so that of two refunds at the same time one sees the other.
CREATE FUNCTION keep_refunds_within_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid payments;
BEGIN
  SELECT * INTO paid FROM payments
  WHERE company_id = NEW.company_id AND id = NEW.payment_id AND invoice_id = NEW.invoice_id AND state = 'captured'
    AND currency = NEW.currency AND gateway = NEW.gateway
  FOR NO KEY UPDATE;
  IF NOT FOUND OR EXISTS (
    SELECT FROM refunds
    WHERE company_id = NEW.company_id AND payment_id = NEW.payment_id AND state <> 'failed'
    HAVING (NEW.amount_minor > 0
            AND coalesce(sum(amount_minor), 0) + NEW.amount_minor + greatest(paid.withdrawn_minor, 0) > paid.amount_minor)
        OR coalesce(sum(credit_minor), 0) + NEW.credit_minor > paid.credit_minor
  ) THEN
    RAISE EXCEPTION 'This refund is more than what is left of its payment.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_within_payment';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER refunds_within_payment BEFORE INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION keep_refunds_within_payment();

-- What has ended stays as it is.
CREATE FUNCTION keep_ended_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'This refund has ended.' USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_end_once';
END
$$;
CREATE TRIGGER refunds_end_once BEFORE UPDATE ON refunds
  FOR EACH ROW WHEN (OLD.state IN ('succeeded', 'failed')) EXECUTE FUNCTION keep_ended_refund();

-- Credit that a refund gives back, and what of a bill that is carried over is tax.
ALTER TABLE credit_entries
  ADD COLUMN refund_id uuid,
  ADD COLUMN carried_tax_minor bigint,
  ADD FOREIGN KEY (company_id, refund_id) REFERENCES refunds (company_id, id),
  ADD CONSTRAINT credit_entries_refund_taken UNIQUE (company_id, refund_id),
  DROP CONSTRAINT credit_entries_kind_check,
  DROP CONSTRAINT credit_entries_check,
  DROP CONSTRAINT credit_entries_check1,
  ADD CONSTRAINT credit_entries_kind_check CHECK (kind IN ('grant', 'correction', 'consumption', 'return', 'refund')),
  ADD CONSTRAINT credit_entries_check CHECK ((kind IN ('grant', 'return', 'refund')) = (amount_minor > 0)),
  ADD CONSTRAINT credit_entries_check1 CHECK ((kind IN ('consumption', 'return', 'refund')) = (payment_id IS NOT NULL)),
  ADD CONSTRAINT credit_entries_check2 CHECK ((kind = 'refund') = (refund_id IS NOT NULL)),
  ADD CONSTRAINT credit_entries_check3
    CHECK (carried_tax_minor IS NULL OR (kind = 'grant' AND carried_tax_minor BETWEEN 0 AND amount_minor));
DROP INDEX credit_entries_of_payment;
CREATE UNIQUE INDEX credit_entries_of_payment ON credit_entries (company_id, payment_id, kind)
  WHERE kind IN ('consumption', 'return');

-- The ledger, one row a posting. An entry is the postings of one source (an invoice, a payment, …) and one kind; the key lets each
-- account be posted to once an entry, so that no change is posted twice. Debit is positive, credit negative.
CREATE TABLE ledger_postings (
  company_id uuid NOT NULL,
  source_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN (
    'invoice_issued', 'invoice_voided', 'credit_granted', 'credit_corrected', 'credit_carried_over', 'credit_consumed',
    'credit_returned', 'payment_captured', 'credit_note_issued', 'refund_sent', 'dispute_withdrawn', 'dispute_reinstated',
    'dispute_lost', 'dispute_recovered'
  )),
  account text NOT NULL CHECK (
    account ~ '^(receivable|revenue|tax|credit|goodwill|refunds_due|disputed|dispute_losses|cash:[a-z0-9_-]+)$'
  ),
  currency text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  -- The invoice that it is about; null for credit that is about none.
  invoice_id uuid,
  -- The order of the list, which is nearly that of time.
  number bigint GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, source_id, kind, account)
);
CREATE INDEX ledger_postings_by_time ON ledger_postings (created_at, number);

-- What a statement adds to an entry comes to zero in each currency, so every entry does. Of a whole statement at once, because a billing
-- run posts a hundred invoices with one, and a deferred trigger for each row took a sixth of its time.
CREATE FUNCTION check_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM posted GROUP BY company_id, source_id, kind, currency HAVING sum(amount_minor) <> 0
  ) THEN
    RAISE EXCEPTION 'The postings of an entry do not come to zero.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'ledger_postings_balanced';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER ledger_postings_balanced AFTER INSERT ON ledger_postings
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_entries();

-- What follows is the chart of accounts at work (ARCHITECTURE.md explains it). The functions work as the owner, in the statement that
-- makes the change: the service itself may only read the ledger.

-- In minor units.
CREATE FUNCTION minor_units(amount numeric, minor_unit_digits integer) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (amount * 10::numeric ^ minor_unit_digits)::bigint;

CREATE FUNCTION post_invoices() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT issued.company_id, issued.id, 'invoice_issued', line.account, issued.currency, minor_units(line.amount, issued.minor_unit_digits),
         issued.id
  FROM issued
  CROSS JOIN LATERAL (VALUES ('receivable', issued.total), ('revenue', -issued.sub_total), ('tax', -issued.tax)) AS line (account, amount)
  WHERE line.amount <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_posted AFTER INSERT ON invoices
  REFERENCING NEW TABLE AS issued FOR EACH STATEMENT EXECUTE FUNCTION post_invoices();

CREATE FUNCTION post_void() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT company_id, source_id, 'invoice_voided', account, currency, -amount_minor, invoice_id
  FROM ledger_postings
  WHERE company_id = NEW.company_id AND source_id = NEW.id AND kind = 'invoice_issued';
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_void_posted AFTER UPDATE OF voided_at ON invoices
  FOR EACH ROW WHEN (OLD.voided_at IS NULL AND NEW.voided_at IS NOT NULL) EXECUTE FUNCTION post_void();

CREATE FUNCTION post_credit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  paid_invoice_id uuid := (SELECT invoice_id FROM payments WHERE company_id = NEW.company_id AND id = NEW.payment_id);
  carried_minor bigint := NEW.amount_minor - NEW.carried_tax_minor;
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id,
         CASE
           WHEN NEW.carried_tax_minor IS NOT NULL THEN 'credit_carried_over'
           WHEN NEW.kind = 'grant' THEN 'credit_granted'
           WHEN NEW.kind = 'correction' THEN 'credit_corrected'
           WHEN NEW.kind = 'consumption' THEN 'credit_consumed'
           ELSE 'credit_returned'
         END,
         line.account, NEW.currency, line.amount_minor, paid_invoice_id
  FROM (VALUES
    ('credit', -NEW.amount_minor),
    ('receivable', CASE WHEN NEW.kind IN ('consumption', 'return') THEN NEW.amount_minor END),
    ('goodwill', CASE WHEN NEW.kind IN ('grant', 'correction') AND NEW.carried_tax_minor IS NULL THEN NEW.amount_minor END),
    ('revenue', carried_minor),
    ('tax', NEW.carried_tax_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER credit_entries_posted AFTER INSERT ON credit_entries
  FOR EACH ROW WHEN (NEW.kind <> 'refund') EXECUTE FUNCTION post_credit_entry();

CREATE FUNCTION post_capture() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  VALUES
    (NEW.company_id, NEW.id, 'payment_captured', 'cash:' || NEW.gateway, NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'payment_captured', 'receivable', NEW.currency, -NEW.amount_minor, NEW.invoice_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_capture_posted AFTER UPDATE OF state ON payments
  FOR EACH ROW WHEN (OLD.state <> 'captured' AND NEW.state = 'captured' AND NEW.amount_minor > 0) EXECUTE FUNCTION post_capture();
CREATE TRIGGER payments_insert_posted AFTER INSERT ON payments
  FOR EACH ROW WHEN (NEW.state = 'captured' AND NEW.amount_minor > 0) EXECUTE FUNCTION post_capture();

CREATE FUNCTION post_credit_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'credit_note_issued', line.account, invoices.currency,
         minor_units(line.amount, invoices.minor_unit_digits), NEW.invoice_id
  FROM invoices
  CROSS JOIN (VALUES
    ('revenue', NEW.sub_total), ('tax', NEW.tax),
    (CASE WHEN NEW.after_payment THEN 'refunds_due' ELSE 'receivable' END, -NEW.total)
  ) AS line (account, amount)
  WHERE invoices.company_id = NEW.company_id AND invoices.id = NEW.invoice_id AND line.amount <> 0;
  RETURN NULL;
END
$$;
CREATE TRIGGER credit_notes_posted AFTER INSERT ON credit_notes FOR EACH ROW EXECUTE FUNCTION post_credit_note();

CREATE FUNCTION post_refund() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  SELECT NEW.company_id, NEW.id, 'refund_sent', line.account, NEW.currency, line.amount_minor, NEW.invoice_id
  FROM (VALUES
    ('refunds_due', NEW.amount_minor + NEW.credit_minor), ('cash:' || NEW.gateway, -NEW.amount_minor), ('credit', -NEW.credit_minor)
  ) AS line (account, amount_minor)
  WHERE line.amount_minor <> 0;
  IF NEW.credit_minor IS DISTINCT FROM (
    SELECT coalesce(sum(amount_minor), 0) FROM credit_entries
    WHERE company_id = NEW.company_id AND refund_id = NEW.id AND currency = NEW.currency AND payment_id = NEW.payment_id
  ) THEN
    RAISE EXCEPTION 'This refund gives back other credit than it was written with.'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'refunds_credit_given';
  END IF;
  UPDATE invoices
  SET refunded_total = refunded_total + (NEW.amount_minor + NEW.credit_minor) / 10::numeric ^ minor_unit_digits, updated_at = now()
  WHERE company_id = NEW.company_id AND id = NEW.invoice_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER refunds_posted AFTER INSERT OR UPDATE ON refunds
  FOR EACH ROW WHEN (NEW.state = 'succeeded') EXECUTE FUNCTION post_refund();

DO $$
DECLARE
  poster text;
BEGIN
  FOREACH poster IN ARRAY ARRAY[
    'post_invoices', 'post_void', 'post_credit_entry', 'post_capture', 'post_credit_note', 'post_refund'
  ] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', poster, current_schema());
  END LOOP;
END
$$;

GRANT SELECT ON ledger_postings TO paydesk_application;
GRANT SELECT, INSERT ON refunds TO paydesk_application;
GRANT UPDATE (state, gateway_refund_id, reconcile_at, reconcile_count, updated_at) ON refunds TO paydesk_application;
