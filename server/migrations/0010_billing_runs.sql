-- Billing runs: one a month, and what each company was billed for.

CREATE TABLE billing_runs (
  id uuid PRIMARY KEY,
  -- The month, as 2026-10.
  period text NOT NULL CONSTRAINT billing_runs_period_taken UNIQUE,
  -- A run works in passes, since months end and grace times run out at different times. `running`: a pass is at work, or waits for a
  -- worker. `waiting`: some companies are not due yet.
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('running', 'waiting', 'done', 'failed')),
  -- Started by hand: companies are due when their month is over, and not only after their grace time.
  without_grace boolean NOT NULL DEFAULT false,
  -- When the next company is due, while it waits.
  next_pass_at timestamptz(3),
  -- How many companies there are, and how many of them are dealt with.
  companies integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  -- How many passes were begun. What follows is about the last one.
  passes integer NOT NULL DEFAULT 0,
  -- It bills the companies that were due at this time of the billing clock.
  as_of timestamptz(3),
  -- The usage that it bills is what was acknowledged when this cutoff was closed. Null until a worker begins.
  cutoff integer REFERENCES usage_cutoffs (number),
  -- How many companies were due, how many of them are dealt with, up to which id, and how many could not be billed.
  pass_companies integer NOT NULL DEFAULT 0,
  pass_done integer NOT NULL DEFAULT 0,
  last_company_id uuid,
  failures integer NOT NULL DEFAULT 0,
  -- Which worker is at it, and until when it is left to that one.
  lease uuid,
  leased_until timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK ((status IN ('done', 'failed')) = (finished_at IS NOT NULL)),
  CHECK (status <> 'running' OR as_of IS NOT NULL),
  CHECK (status = 'waiting' OR next_pass_at IS NULL)
);

-- A period of a company that was billed, with an invoice or, when nothing was used, without. The key is what keeps a second invoice
-- from being made, whoever tries. Nothing in it is ever changed or removed, for the service's role may not.
CREATE TABLE billed_periods (
  company_id uuid NOT NULL REFERENCES companies (id),
  period text NOT NULL,
  run_id uuid NOT NULL REFERENCES billing_runs (id),
  currency text NOT NULL,
  -- With the currency, the cutoff and the prices, which nobody changes: all that its invoice was computed from.
  tax_rate numeric NOT NULL,
  late_usage_kind text NOT NULL CHECK (late_usage_kind IN ('next_invoice', 'refuse', 'ignore')),
  late_usage_days integer,
  -- The period before, when usage that came later than that one's cutoff is on this bill; else null.
  late_after_period text,
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
  CHECK ((late_usage_kind = 'refuse') = (late_usage_days IS NOT NULL)),
  FOREIGN KEY (company_id, invoice_id) REFERENCES invoices (company_id, id),
  FOREIGN KEY (company_id, late_after_period) REFERENCES billed_periods (company_id, period)
);
CREATE INDEX billed_periods_of_run ON billed_periods (run_id) INCLUDE (invoice_id);
CREATE INDEX billed_periods_unpriced ON billed_periods (run_id) WHERE unpriced_paths IS NOT NULL;
-- Until when prices in a currency are settled.
CREATE INDEX billed_periods_invoiced ON billed_periods (currency, end_at) WHERE invoice_id IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON billing_runs TO paydesk_application;
GRANT SELECT, INSERT ON billed_periods TO paydesk_application;
