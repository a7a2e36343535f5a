-- How a company is billed, and its credit.

ALTER TABLE companies
  ADD COLUMN billing_currency text NOT NULL DEFAULT 'USD',
  -- Percent.
  ADD COLUMN tax_rate numeric NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 100),
  -- Whether a tax id on the billing information frees the company of the tax. A company writes that field itself, hence not by itself.
  ADD COLUMN exempt_with_tax_id boolean NOT NULL DEFAULT false,
  -- IANA: where the company's months begin and end.
  ADD COLUMN timezone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN late_usage_kind text NOT NULL DEFAULT 'next_invoice' CHECK (late_usage_kind IN ('next_invoice', 'refuse', 'ignore')),
  ADD COLUMN late_usage_days integer CHECK (late_usage_days >= 0),
  ADD COLUMN invoice_grace_hours integer NOT NULL DEFAULT 24 CHECK (invoice_grace_hours >= 0),
  ADD CONSTRAINT companies_late_usage_days CHECK ((late_usage_kind = 'refuse') = (late_usage_days IS NOT NULL));

-- What a payment takes from the company's credit; the card is charged `amount_minor`. Together they are what is due.
ALTER TABLE payments ADD COLUMN credit_minor bigint NOT NULL DEFAULT 0 CHECK (credit_minor >= 0);

-- What of it was paid with credit, in major units: noted when the invoice is paid.
ALTER TABLE invoices ADD COLUMN credit_used numeric(20, 4) NOT NULL DEFAULT 0,
  ADD CHECK (credit_used BETWEEN 0 AND total), ADD CHECK (credit_used = 0 OR status = 'Succeeded');

-- The sum of a company's entries. Only the entries' trigger writes it.
CREATE TABLE credit_balances (
  company_id uuid PRIMARY KEY REFERENCES companies (id),
  currency text NOT NULL,
  balance_minor bigint NOT NULL CHECK (balance_minor >= 0),
  -- How many entries there are, which is the number of the last one.
  entries bigint NOT NULL
) WITH (fillfactor = 50);

-- The ledger. Nothing in it is ever changed or removed, for the service's role may not.
CREATE TABLE credit_entries (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  -- From 1, without a gap: the order in which they count.
  number bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('grant', 'correction', 'consumption', 'return')),
  -- What is added; negative for what is taken.
  amount_minor bigint NOT NULL,
  -- What the company has after it.
  balance_minor bigint NOT NULL CONSTRAINT credit_entries_never_below_zero CHECK (balance_minor >= 0),
  currency text NOT NULL,
  reason text NOT NULL,
  payment_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT credit_entries_number_taken UNIQUE (company_id, number),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  CHECK (amount_minor <> 0),
  CHECK ((kind IN ('grant', 'return')) = (amount_minor > 0)),
  CHECK ((kind IN ('consumption', 'return')) = (payment_id IS NOT NULL))
);
-- A payment takes credit once and gives it back once.
CREATE UNIQUE INDEX credit_entries_of_payment ON credit_entries (company_id, payment_id, kind) WHERE payment_id IS NOT NULL;

-- Every entry says its number and the balance after it; one that does not follow on the last one is refused. It works as the owner,
-- so that the balance has no other way to change.
CREATE FUNCTION keep_credit_balance() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO credit_balances (company_id, currency, balance_minor, entries) VALUES (NEW.company_id, NEW.currency, 0, 0)
  ON CONFLICT DO NOTHING;
  UPDATE credit_balances
  SET currency = NEW.currency, balance_minor = NEW.balance_minor, entries = NEW.number
  WHERE company_id = NEW.company_id AND entries = NEW.number - 1 AND balance_minor = NEW.balance_minor - NEW.amount_minor
    AND (currency = NEW.currency OR balance_minor = 0);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'This credit entry does not follow on the last one.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NEW.kind = 'return' AND NOT EXISTS (
    SELECT 1 FROM credit_entries
    WHERE company_id = NEW.company_id AND payment_id = NEW.payment_id AND kind = 'consumption'
      AND amount_minor = -NEW.amount_minor AND currency = NEW.currency
  ) THEN
    RAISE EXCEPTION 'This payment did not take what it gives back.' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END
$$;
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION keep_credit_balance() SET search_path = %I, pg_temp', current_schema());
END
$$;
CREATE TRIGGER credit_entries_added AFTER INSERT ON credit_entries FOR EACH ROW EXECUTE FUNCTION keep_credit_balance();

-- Nothing wrote it; from now on the ledger says it.
ALTER TABLE billing_information DROP COLUMN in_store_credit;

-- What the API shows of it, with the default card, where there is one.
CREATE FUNCTION billing_information_json(billing billing_information, default_card cards) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object(
    'id', billing.id, 'companyId', billing.company_id,
    'paymentId', default_card.id, 'paymentMethod', coalesce(default_card.method, ''),
    'firstName', billing.first_name, 'lastName', billing.last_name, 'phoneNumber', billing.phone_number,
    'country', billing.country, 'address', billing.address, 'zipCode', billing.zip_code,
    'province', billing.province, 'city', billing.city, 'organization', billing.organization, 'taxId', billing.tax_id,
    'createdAt', iso_instant(billing.created_at), 'updatedAt', iso_instant(billing.updated_at)
  )
$$;

GRANT SELECT ON credit_balances TO paydesk_application;
GRANT SELECT, INSERT ON credit_entries TO paydesk_application;
