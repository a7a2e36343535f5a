-- PayPal accounts beside the cards: what a charge takes, and how it wakes the collection, whichever of the two it is.

CREATE TABLE paypal_accounts (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  -- How its holder knows it.
  email text NOT NULL,
  gateway text NOT NULL,
  gateway_token text NOT NULL,
  metadata jsonb NOT NULL DEFAULT '{}',
  -- A deleted account leaves the list; the payments made with it keep naming it.
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX paypal_accounts_one_default ON paypal_accounts (company_id) WHERE is_default AND deleted_at IS NULL;
-- A token stands once on a company's list: as two accounts, it would never be the only one.
CREATE UNIQUE INDEX paypal_accounts_vaulted_once ON paypal_accounts (company_id, gateway, gateway_token) WHERE deleted_at IS NULL;

ALTER TABLE payments
  ADD COLUMN paypal_account_id uuid,
  ADD FOREIGN KEY (company_id, paypal_account_id) REFERENCES paypal_accounts (company_id, id),
  -- Never both; neither where there was nothing to charge.
  ADD CONSTRAINT payments_source_of_method
    CHECK (CASE method WHEN 'Card' THEN paypal_account_id IS NULL ELSE card_id IS NULL END);
-- What the bank, or PayPal, said of a card or an account last.
CREATE INDEX payments_of_source ON payments (company_id, coalesce(card_id, paypal_account_id), created_at, id);

-- The account in place of the card that was refused so often in a row.
ALTER TABLE collections
  ADD COLUMN paypal_account_id uuid,
  ADD FOREIGN KEY (company_id, paypal_account_id) REFERENCES paypal_accounts (company_id, id);

-- The card, or the account, that a charge takes: the default one, or else the only one; null without either. As `selectCardToCharge`
-- and `selectAccountToCharge` have it. With the gateway that holds it, or `none`. One row; of such a form that PostgreSQL makes it a part
-- of the statement that asks.
CREATE FUNCTION source_to_charge(of_company_id uuid, of_method text) RETURNS TABLE (id uuid, gateway text) LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT CASE WHEN bool_or(is_default) OR count(*) = 1 THEN (array_agg(candidates.id ORDER BY is_default DESC))[1] END,
           CASE WHEN bool_or(is_default) OR count(*) = 1 THEN (array_agg(candidates.gateway ORDER BY is_default DESC))[1] ELSE 'none' END
    FROM (
      SELECT sources.id, sources.gateway, is_default FROM (
        SELECT cards.id, cards.gateway, is_default FROM cards
        WHERE company_id = of_company_id AND deleted_at IS NULL AND of_method = 'Card'
        UNION ALL
        SELECT accounts.id, accounts.gateway, is_default FROM paypal_accounts AS accounts
        WHERE company_id = of_company_id AND deleted_at IS NULL AND of_method = 'paypal'
      ) AS sources
      ORDER BY is_default DESC LIMIT 2
    ) AS candidates;
  END;

-- Whether invoices of this method are charged by themselves: `by_card`, as long as there is a default card, or account, for them.
CREATE FUNCTION collects_automatically(of_company_id uuid, of_method text) RETURNS boolean LANGUAGE sql STABLE
  RETURN (
    SELECT collection = 'automatic' OR (collection = 'by_card' AND CASE of_method
      WHEN 'Card' THEN EXISTS (
        SELECT FROM cards WHERE cards.company_id = companies.id AND is_default AND deleted_at IS NULL
      )
      ELSE EXISTS (
        SELECT FROM paypal_accounts AS accounts WHERE accounts.company_id = companies.id AND is_default AND deleted_at IS NULL
      )
    END)
    FROM companies WHERE id = of_company_id
  );

-- Invoices of the method in the trigger's argument: another card or account would be charged now, or the same card with another expiry.
-- That is tried at once, also after the last attempt. What is not woken goes over to the other gateway as well. What awaits an outcome
-- does so when that wakes it: whoever notes an outcome locks the collection before the company, and whoever changes a default after it.
CREATE FUNCTION wake_collections_by_source() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  source uuid;
  its_gateway text;
  is_renewed boolean := false;
BEGIN
  SELECT id, gateway INTO source, its_gateway FROM source_to_charge(NEW.company_id, TG_ARGV[0]);
  IF TG_TABLE_NAME = 'cards' AND TG_OP = 'UPDATE' THEN
    is_renewed := source = NEW.id AND (OLD.exp_year, OLD.exp_month) IS DISTINCT FROM (NEW.exp_year, NEW.exp_month);
  END IF;
  UPDATE collections
  SET state = 'scheduled', next_attempt_at = collections.due_at, gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id
    AND (collections.state IN ('manual', 'awaiting_payment_method')
         OR ((collections.state = 'exhausted' OR (collections.state = 'scheduled' AND declines > 0))
             AND (source <> coalesce(card_id, paypal_account_id) OR is_renewed)))
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  UPDATE collections SET gateway = its_gateway, updated_at = now()
  FROM invoices
  WHERE collections.company_id = NEW.company_id AND collections.state = 'scheduled' AND gateway <> its_gateway
    AND invoices.company_id = collections.company_id AND invoices.id = collections.invoice_id AND invoices.method = TG_ARGV[0];
  RETURN NULL;
END
$$;
CREATE TRIGGER cards_added_to_collect AFTER INSERT ON cards FOR EACH ROW EXECUTE FUNCTION wake_collections_by_source('Card');
CREATE TRIGGER cards_changed_to_collect AFTER UPDATE ON cards FOR EACH ROW
  WHEN ((NEW.is_default AND NOT OLD.is_default) OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at
        OR NEW.exp_year <> OLD.exp_year OR NEW.exp_month <> OLD.exp_month OR NEW.gateway <> OLD.gateway)
  EXECUTE FUNCTION wake_collections_by_source('Card');
CREATE TRIGGER paypal_accounts_added_to_collect AFTER INSERT ON paypal_accounts FOR EACH ROW
  EXECUTE FUNCTION wake_collections_by_source('paypal');
CREATE TRIGGER paypal_accounts_changed_to_collect AFTER UPDATE ON paypal_accounts FOR EACH ROW
  WHEN ((NEW.is_default AND NOT OLD.is_default) OR NEW.deleted_at IS DISTINCT FROM OLD.deleted_at OR NEW.gateway <> OLD.gateway)
  EXECUTE FUNCTION wake_collections_by_source('paypal');

GRANT SELECT, INSERT, UPDATE ON paypal_accounts TO paydesk_application;
