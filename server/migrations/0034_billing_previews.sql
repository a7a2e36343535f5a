-- What a billing run would issue, for a look before it does. Kept for a week.

CREATE TABLE billing_previews (
  id uuid PRIMARY KEY,
  period text NOT NULL,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done')),
  companies integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  last_company_id uuid,
  -- Whoever works on it has it until then.
  lease uuid,
  leased_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  finished_at timestamptz(3)
);
CREATE INDEX billing_previews_running ON billing_previews (id) WHERE status = 'running';

CREATE TABLE billing_preview_invoices (
  company_id uuid NOT NULL REFERENCES companies (id),
  preview_id uuid NOT NULL REFERENCES billing_previews (id) ON DELETE CASCADE,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3) NOT NULL,
  method text NOT NULL,
  currency text NOT NULL,
  minor_unit_digits smallint NOT NULL,
  sub_total numeric(20, 4) NOT NULL,
  tax numeric(20, 4) NOT NULL,
  total numeric(20, 4) NOT NULL,
  -- What the invoice of the month before came to without tax; null where there was none in the currency.
  sub_total_before numeric(20, 4),
  outlier text CHECK (outlier IN ('higher', 'lower', 'gone')),
  unpriced_paths json NOT NULL,
  PRIMARY KEY (company_id, preview_id)
);
CREATE INDEX billing_preview_invoices_of_preview ON billing_preview_invoices (preview_id, company_id);
CREATE INDEX billing_preview_invoices_outliers ON billing_preview_invoices (preview_id, company_id) WHERE outlier IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON billing_previews TO paydesk_application;
GRANT SELECT, INSERT, DELETE ON billing_preview_invoices TO paydesk_application;
