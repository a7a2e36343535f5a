-- What gateways keep for themselves and what they pay out, so that cash:<gateway> is what a gateway owes.
CREATE TABLE gateway_fees (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  gateway text NOT NULL,
  gateway_movement_id text NOT NULL,
  gateway_payment_id text NOT NULL,
  payment_id uuid,
  invoice_id uuid,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  currency text NOT NULL,
  charged_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT gateway_fees_taken UNIQUE (gateway, gateway_movement_id),
  FOREIGN KEY (company_id, payment_id) REFERENCES payments (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX gateway_fees_by_time ON gateway_fees (gateway, charged_at, id);
COMMENT ON TABLE gateway_fees IS 'What a gateway took for a payment, a refund or a dispute, or gave back (negative).';
GRANT SELECT, INSERT ON gateway_fees TO paydesk_application;

CREATE TABLE gateway_payouts (
  id uuid PRIMARY KEY,
  gateway text NOT NULL,
  gateway_payout_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('paid', 'failed')),
  total_minor bigint NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  paid_out_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT gateway_payouts_taken UNIQUE (gateway, gateway_payout_id)
);
CREATE INDEX gateway_payouts_by_time ON gateway_payouts (gateway, paid_out_at, id);
COMMENT ON TABLE gateway_payouts IS 
  'What a gateway paid out to the bank: total_minor, of which amount_minor, which is posted, is from payments here.';
GRANT SELECT, INSERT, UPDATE ON gateway_payouts TO paydesk_application;

CREATE TABLE gateway_looks (
  gateway text PRIMARY KEY,
  looked_up_to timestamptz(3) NOT NULL,
  looked_at timestamptz(3) NOT NULL DEFAULT now(),
  look_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE gateway_looks IS 'Up to when a gateway’s fees and payouts are in the books, and when it is asked for more.';
GRANT SELECT, INSERT, UPDATE ON gateway_looks TO paydesk_application;

ALTER TABLE ledger_postings DROP CONSTRAINT ledger_postings_account_check;
ALTER TABLE ledger_postings ADD CONSTRAINT ledger_postings_account_check CHECK (account ~
  '^(receivable|revenue|tax|credit|goodwill|refunds_due|disputed|dispute_losses|unallocated|gateway_fees|bank|cash:[a-z0-9_-]+)$')
  NOT VALID;
ALTER TABLE ledger_postings DROP CONSTRAINT ledger_postings_kind_check;
ALTER TABLE ledger_postings ADD CONSTRAINT ledger_postings_kind_check CHECK (kind IN (
  'invoice_issued', 'invoice_voided', 'credit_granted', 'credit_corrected', 'credit_carried_over', 'credit_consumed', 'credit_returned',
  'payment_captured', 'credit_note_issued', 'refund_sent', 'dispute_withdrawn', 'dispute_reinstated', 'dispute_lost', 'dispute_recovered',
  'gateway_fee', 'payout', 'payout_failed')) NOT VALID;

CREATE FUNCTION post_gateway_fee() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor, invoice_id)
  VALUES
    (NEW.company_id, NEW.id, 'gateway_fee', 'gateway_fees', NEW.currency, NEW.amount_minor, NEW.invoice_id),
    (NEW.company_id, NEW.id, 'gateway_fee', 'cash:' || NEW.gateway, NEW.currency, -NEW.amount_minor, NEW.invoice_id);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION post_gateway_fee() IS 'Posts what a gateway took for a payment, its refund or its dispute.';
CREATE TRIGGER gateway_fees_posted AFTER INSERT ON gateway_fees FOR EACH ROW EXECUTE FUNCTION post_gateway_fee();

CREATE FUNCTION post_payout() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  nobody uuid := '00000000-0000-0000-0000-000000000000';
  posted_minor bigint := CASE TG_OP WHEN 'INSERT' THEN NEW.amount_minor ELSE -NEW.amount_minor END;
  kind text := CASE TG_OP WHEN 'INSERT' THEN 'payout' ELSE 'payout_failed' END;
BEGIN
  INSERT INTO ledger_postings (company_id, source_id, kind, account, currency, amount_minor)
  VALUES
    (nobody, NEW.id, kind, 'bank', NEW.currency, posted_minor),
    (nobody, NEW.id, kind, 'cash:' || NEW.gateway, NEW.currency, -posted_minor);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION post_payout() IS 'Posts a payout for no company, and turns it round when it has failed.';
CREATE TRIGGER gateway_payouts_posted AFTER INSERT ON gateway_payouts FOR EACH ROW
WHEN (new.state = 'paid' AND new.amount_minor <> 0) EXECUTE FUNCTION post_payout();
CREATE TRIGGER gateway_payouts_failed AFTER UPDATE OF state ON gateway_payouts FOR EACH ROW
WHEN (old.state = 'paid' AND new.state = 'failed' AND new.amount_minor <> 0) EXECUTE FUNCTION post_payout();
