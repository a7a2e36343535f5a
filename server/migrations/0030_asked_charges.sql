-- Charges that a person asked for, and where from. Those that the bank refuses are counted: card testers try one card after another.

CREATE TABLE asked_charges (
  company_id uuid NOT NULL REFERENCES companies (id),
  payment_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  -- The client's address, or the first half of an IPv6 one.
  network text NOT NULL,
  -- Null for what is no card, and for the sandbox, whose numbers everybody shares.
  card_fingerprint bytea,
  -- Open until the payment has an outcome. What is captured, or failed without a bank's refusal, leaves the table.
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'unknown', 'refused')),
  asked_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, payment_id),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX asked_charges_of_invoice ON asked_charges (company_id, invoice_id, asked_at);
CREATE INDEX asked_charges_of_company ON asked_charges (company_id, asked_at);
CREATE INDEX asked_charges_of_network ON asked_charges (network, asked_at);
CREATE INDEX asked_charges_of_card ON asked_charges (card_fingerprint, asked_at) WHERE card_fingerprint IS NOT NULL;

CREATE FUNCTION note_asked_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'unknown' OR (NEW.state = 'failed' AND NEW.failure_reason IN ('declined', 'rejected')) THEN
    UPDATE asked_charges SET state = CASE NEW.state WHEN 'unknown' THEN 'unknown' ELSE 'refused' END
    WHERE company_id = NEW.company_id AND payment_id = NEW.id;
  ELSE
    DELETE FROM asked_charges WHERE company_id = NEW.company_id AND payment_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER payments_asked_noted AFTER UPDATE OF state ON payments FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND NEW.state NOT IN ('created', 'sending')) EXECUTE FUNCTION note_asked_charge();

GRANT SELECT, INSERT, UPDATE, DELETE ON asked_charges TO paydesk_application;
