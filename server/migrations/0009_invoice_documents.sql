-- Who issues the invoices, who is named on each of them, and the two ways to correct one: a credit note and a void.

-- One row: the business that this service bills for.
CREATE TABLE seller (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  name text NOT NULL DEFAULT '',
  address_lines json NOT NULL DEFAULT '[]',
  tax_id text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  footer_text text NOT NULL DEFAULT '',
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
INSERT INTO seller DEFAULT VALUES;

-- The seller and the buyer as they are now: whoever inserts an invoice writes them into it, and they stay as they were then.
CREATE FUNCTION seller_snapshot() RETURNS json
  LANGUAGE sql STABLE
  RETURN (
    SELECT json_build_object('name', name, 'addressLines', address_lines, 'taxId', tax_id, 'email', email, 'footerText', footer_text)
    FROM seller
  );

CREATE FUNCTION buyer_snapshot(of_company_id uuid) RETURNS json
  LANGUAGE sql STABLE
  RETURN (
    SELECT json_build_object(
      'organization', coalesce(nullif(billing.organization, ''), companies.name),
      'firstName', billing.first_name, 'lastName', billing.last_name, 'address', billing.address, 'zipCode', billing.zip_code,
      'city', billing.city, 'province', billing.province, 'country', billing.country, 'taxId', billing.tax_id,
      'email', coalesce(nullif(companies.email, ''), (
        SELECT users.email FROM users WHERE users.company_id = companies.id ORDER BY users.created_at, users.id LIMIT 1
      ), ''),
      'timezone', companies.timezone
    )
    FROM companies
    JOIN billing_information AS billing ON billing.company_id = companies.id
    WHERE companies.id = of_company_id
  );

ALTER TABLE invoices
  ADD COLUMN buyer json,
  ADD COLUMN seller json,
  -- A void invoice is neither paid nor credited. Beside the status, whose three values are the specification's.
  ADD COLUMN voided_at timestamptz(3),
  -- The sum of its credit notes.
  ADD COLUMN credited_total numeric(20, 4) NOT NULL DEFAULT 0,
  ADD CONSTRAINT invoices_credited_within_total CHECK (credited_total BETWEEN 0 AND total),
  ADD CONSTRAINT invoices_void_is_unpaid CHECK (voided_at IS NULL OR (status <> 'Succeeded' AND credited_total = 0));
UPDATE invoices SET buyer = buyer_snapshot(company_id), seller = seller_snapshot();
ALTER TABLE invoices ALTER COLUMN buyer SET NOT NULL, ALTER COLUMN seller SET NOT NULL;

-- The operator names an invoice by its id alone.
CREATE INDEX invoices_by_id ON invoices (id);

CREATE TABLE credit_note_numbers (
  company_id uuid PRIMARY KEY REFERENCES companies (id),
  last_number bigint NOT NULL
);

-- Nothing in it is ever changed or removed, for the service's role may not.
CREATE TABLE credit_notes (
  company_id uuid NOT NULL REFERENCES companies (id),
  id uuid NOT NULL,
  number text NOT NULL,
  invoice_id uuid NOT NULL,
  reason text NOT NULL,
  -- What is credited, line by line; empty when the operator named an amount alone.
  details json NOT NULL,
  sub_total numeric(20, 4) NOT NULL,
  tax numeric(20, 4) NOT NULL,
  total numeric(20, 4) NOT NULL CHECK (total > 0),
  -- Whether the invoice was paid by then: what is paid already is not lowered, the money has to be given back.
  after_payment boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT credit_notes_number_taken UNIQUE (company_id, number),
  CHECK (total = sub_total + tax),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX credit_notes_of_invoice ON credit_notes (company_id, invoice_id, id);

GRANT SELECT, UPDATE ON seller TO paydesk_application;
GRANT SELECT, INSERT, UPDATE ON credit_note_numbers TO paydesk_application;
GRANT SELECT, INSERT ON credit_notes TO paydesk_application;
