-- The link with which an invoice is read and paid without an account. The table alone opens nothing: the service signs the link.
CREATE TABLE invoice_links (
  company_id uuid NOT NULL REFERENCES companies,
  invoice_id uuid NOT NULL,
  id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3),
  PRIMARY KEY (company_id, invoice_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
COMMENT ON TABLE invoice_links IS 'The links to the pages of invoices, one for each. A new id makes the earlier ones unknown.';
GRANT SELECT, INSERT, UPDATE ON invoice_links TO paydesk_application;
