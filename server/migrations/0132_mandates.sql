-- A SEPA direct debit mandate is a row of `cards`: `first_four` is the country of its IBAN, and it does not expire.
ALTER TABLE cards ADD COLUMN mandate_reference text;
ALTER TABLE cards ADD COLUMN mandate_accepted_at timestamptz(3);
ALTER TABLE cards DROP CONSTRAINT cards_method_check;
ALTER TABLE cards ADD CONSTRAINT cards_method_check CHECK (method IN ('Card', 'sepa_debit')) NOT VALID;
ALTER TABLE cards DROP CONSTRAINT cards_exp_year_check;
ALTER TABLE cards ADD CONSTRAINT cards_exp_year_check
  CHECK (CASE method WHEN 'Card' THEN exp_year BETWEEN 2000 AND 2099 ELSE exp_year = 9999 END) NOT VALID;
ALTER TABLE cards DROP CONSTRAINT cards_first_four_check;
ALTER TABLE cards ADD CONSTRAINT cards_first_four_check
  CHECK (first_four ~ CASE method WHEN 'Card' THEN '^(\d{4})?$' ELSE '^[A-Z]{2}$' END) NOT VALID;
ALTER TABLE cards DROP CONSTRAINT cards_last_four_check;
ALTER TABLE cards ADD CONSTRAINT cards_last_four_check
  CHECK (last_four ~ CASE method WHEN 'Card' THEN '^\d{4}$' ELSE '^[0-9A-Z]{4}$' END) NOT VALID;
ALTER TABLE cards DROP CONSTRAINT cards_number_length_check;
ALTER TABLE cards ADD CONSTRAINT cards_number_length_check
  CHECK (CASE method WHEN 'Card' THEN number_length BETWEEN 12 AND 19 ELSE number_length BETWEEN 15 AND 34 END) NOT VALID;
ALTER TABLE cards ADD CONSTRAINT cards_mandate_check
  CHECK ((mandate_reference IS NULL) = (mandate_accepted_at IS NULL) AND (method = 'sepa_debit' OR mandate_reference IS NULL)) NOT VALID;

ALTER TABLE card_setups DROP CONSTRAINT card_setups_method_check;
ALTER TABLE card_setups ADD CONSTRAINT card_setups_method_check CHECK (method IN ('Card', 'sepa_debit'));

-- A mandate pays invoices in EUR alone, and counts as not there for others.
CREATE FUNCTION source_to_charge(of_company_id uuid, of_method text, of_currency text) RETURNS TABLE (id uuid, gateway text)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT CASE WHEN bool_or(is_default) OR count(*) = 1 THEN (array_agg(candidates.id ORDER BY is_default DESC))[1] END,
         CASE WHEN bool_or(is_default) OR count(*) = 1 THEN (array_agg(candidates.gateway ORDER BY is_default DESC))[1] ELSE 'none' END
  FROM (
    SELECT sources.id, sources.gateway, is_default FROM (
      SELECT cards.id, cards.gateway, is_default FROM cards
      WHERE company_id = of_company_id AND deleted_at IS NULL AND of_method = 'Card'
        AND (cards.method = 'Card' OR of_currency = 'EUR')
      UNION ALL
      SELECT accounts.id, accounts.gateway, is_default FROM paypal_accounts AS accounts
      WHERE company_id = of_company_id AND deleted_at IS NULL AND of_method = 'paypal'
    ) AS sources
    ORDER BY is_default DESC LIMIT 2
  ) AS candidates;
END;
COMMENT ON FUNCTION source_to_charge(uuid, text, text) IS
  'The card, mandate or account that a charge of a company in this currency uses, with its gateway: the default one, or else the only one.';

CREATE FUNCTION collects_automatically(of_company_id uuid, of_method text, of_currency text) RETURNS boolean
LANGUAGE sql STABLE
RETURN (
  SELECT disabled_since IS NULL AND (
    collection = 'automatic' OR (collection = 'by_card' AND CASE of_method
      WHEN 'Card' THEN EXISTS (
        SELECT FROM cards
        WHERE company_id = companies.id AND is_default AND deleted_at IS NULL AND (cards.method = 'Card' OR of_currency = 'EUR'))
      ELSE EXISTS (SELECT FROM paypal_accounts AS accounts WHERE company_id = companies.id AND is_default AND deleted_at IS NULL)
    END))
  FROM companies WHERE companies.id = of_company_id
);
COMMENT ON FUNCTION collects_automatically(uuid, text, text) IS 'Whether the collection charges invoices of a method in a currency.';

CREATE OR REPLACE FUNCTION invoice_method(of_company_id uuid) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT CASE
    WHEN payment_method <> 'default' THEN payment_method
    WHEN EXISTS (
      SELECT FROM cards
      WHERE company_id = companies.id AND is_default AND deleted_at IS NULL AND (cards.method = 'Card' OR billing_currency = 'EUR')
    ) THEN 'Card'
    WHEN EXISTS (SELECT FROM paypal_accounts AS accounts WHERE company_id = companies.id AND is_default AND deleted_at IS NULL)
      THEN 'paypal'
    WHEN (SELECT id FROM source_to_charge(companies.id, 'Card', billing_currency)) IS NULL
      AND (SELECT id FROM source_to_charge(companies.id, 'paypal', billing_currency)) IS NOT NULL THEN 'paypal'
    ELSE 'Card'
  END
  FROM companies WHERE companies.id = of_company_id
);

CREATE OR REPLACE FUNCTION begin_collections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO collections (company_id, invoice_id, due_at, next_attempt_at, gateway)
  SELECT added.company_id, added.id, due_at, due_at, chargeable.gateway
  FROM added CROSS JOIN LATERAL source_to_charge(added.company_id, added.method, added.currency) AS chargeable
  ORDER BY added.company_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION wake_collection_by_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id FOR NO KEY UPDATE;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = due_at, updated_at = now(),
      gateway = (SELECT chargeable.gateway FROM source_to_charge(NEW.company_id, NEW.method, NEW.currency) AS chargeable)
  WHERE company_id = NEW.company_id AND invoice_id = NEW.invoice_id AND state IN ('awaiting_outcome', 'awaiting_confirmation')
    AND payment_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION wake_collections_by_source() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_changed boolean := false;
BEGIN
  PERFORM FROM collections WHERE company_id = NEW.company_id AND state <> 'closed' ORDER BY invoice_id FOR NO KEY UPDATE;
  IF TG_TABLE_NAME = 'cards' AND TG_OP = 'UPDATE' THEN
    is_changed := (OLD.exp_year, OLD.exp_month) IS DISTINCT FROM (NEW.exp_year, NEW.exp_month);
  END IF;
  WITH chargeable AS MATERIALIZED (
    SELECT in_euro, source.id, source.gateway, coalesce(is_changed AND source.id = NEW.id, false) AS is_renewed
    FROM (VALUES (true, 'EUR'), (false, '')) AS kinds (in_euro, currency)
    CROSS JOIN LATERAL source_to_charge(NEW.company_id, TG_ARGV[0], currency) AS source
  )
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = collections.due_at, gateway = chargeable.gateway, updated_at = now(),
      declines = CASE WHEN is_renewed THEN 0 ELSE declines END
  FROM invoices JOIN chargeable ON in_euro = (invoices.currency = 'EUR')
  WHERE collections.company_id = NEW.company_id
    AND (collections.state IN ('manual', 'awaiting_payment_method')
         OR ((collections.state = 'exhausted' OR (collections.state = 'scheduled' AND declines > 0))
             AND (chargeable.id <> coalesce(card_id, paypal_account_id) OR is_renewed))
         OR (collections.state = 'awaiting_confirmation' AND TG_OP = 'UPDATE' AND chargeable.id <> (
           SELECT coalesce(payments.card_id, payments.paypal_account_id) FROM payments
           WHERE payments.company_id = collections.company_id AND payments.id = collections.payment_id)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  WITH chargeable AS MATERIALIZED (
    SELECT in_euro, source.gateway
    FROM (VALUES (true, 'EUR'), (false, '')) AS kinds (in_euro, currency)
    CROSS JOIN LATERAL source_to_charge(NEW.company_id, TG_ARGV[0], currency) AS source
  )
  UPDATE collections SET gateway = chargeable.gateway, updated_at = now()
  FROM invoices JOIN chargeable ON in_euro = (invoices.currency = 'EUR')
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND collections.gateway <> chargeable.gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$$;

DROP FUNCTION source_to_charge(uuid, text);
DROP FUNCTION collects_automatically(uuid, text);
