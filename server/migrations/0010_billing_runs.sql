-- Billing runs: one a month, and what each company was billed for.

CREATE TABLE billing_runs (
  id uuid PRIMARY KEY,
  -- The month, as 2026-10.
  period text NOT NULL CONSTRAINT billing_runs_period_taken UNIQUE,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
  -- The usage that it bills is what was acknowledged when this cutoff was closed. Null until a worker begins.
  cutoff integer REFERENCES usage_cutoffs (number),
  -- How many companies there are, how many of them are dealt with, up to which id, and how many could not be billed.
  companies integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  last_company_id uuid,
  failures integer NOT NULL DEFAULT 0,
  -- Which worker is at it, and until when it is left to that one.
  lease uuid,
  leased_until timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((status = 'running') = (finished_at IS NULL))
);

-- A period of a company that was billed, with an invoice or, when nothing was used, without. The key is what keeps a second invoice
-- from being made, whoever tries. Nothing in it is ever changed or removed, for the service's role may not.
CREATE TABLE billed_periods (
  company_id uuid NOT NULL REFERENCES companies (id),
  period text NOT NULL,
  run_id uuid NOT NULL REFERENCES billing_runs (id),
  currency text NOT NULL,
  start_at timestamptz(3) NOT NULL,
  end_at timestamptz(3) NOT NULL,
  -- The usage that the invoice was computed from stands up to this cutoff.
  cutoff integer NOT NULL REFERENCES usage_cutoffs (number),
  invoice_id uuid,
  -- Null when every path had its price.
  unpriced_paths json,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, period),
  CONSTRAINT billed_periods_start_taken UNIQUE (company_id, start_at),
  CONSTRAINT billed_periods_invoice_taken UNIQUE (company_id, invoice_id),
  CHECK (end_at > start_at),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id)
);
CREATE INDEX billed_periods_of_run ON billed_periods (run_id) INCLUDE (invoice_id);
CREATE INDEX billed_periods_unpriced ON billed_periods (run_id) WHERE unpriced_paths IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON billing_runs TO paydesk_application;
GRANT SELECT, INSERT ON billed_periods TO paydesk_application;
