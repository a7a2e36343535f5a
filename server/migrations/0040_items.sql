-- One-off items of a company, which its next invoice takes.
CREATE TABLE items (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  title text NOT NULL,
  unit_amount numeric NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  -- unit_amount × quantity, rounded to the minor unit; negative for what is given back.
  amount numeric(20, 4) NOT NULL CHECK (amount <> 0),
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  -- Null for the rate at which the invoice bears the company's own usage.
  tax_rate numeric CHECK (tax_rate BETWEEN 0 AND 100),
  reference text,
  -- The invoice that took it; null while it waits for one.
  invoice_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX items_pending ON items (company_id, id) WHERE invoice_id IS NULL;
CREATE INDEX items_of_invoice ON items (company_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE UNIQUE INDEX items_reference_taken ON items (company_id, reference) WHERE reference IS NOT NULL;

CREATE FUNCTION refuse_change_of_invoiced_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an item that is on an invoice is never changed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER items_invoiced_once BEFORE UPDATE OR DELETE ON items FOR EACH ROW WHEN (old.invoice_id IS NOT NULL)
  EXECUTE FUNCTION refuse_change_of_invoiced_item();

-- Nothing of an item ever changes but the invoice that takes it.
GRANT SELECT, INSERT, UPDATE (invoice_id), DELETE ON items TO paydesk_application;
