-- What the invoices of a billed period took for its usage, net in major units, as of a cutoff at which an invoice was written again after
-- the database went back: the usage that it was for may be lost, and only what exceeds this is late usage. An invoice takes usage of its
-- own period, and late usage of earlier ones. Where it does not say how much of which, `is_exact` is false, also for what it took of the
-- periods before it.
CREATE TABLE usage_taken (
  company_id uuid NOT NULL REFERENCES companies,
  period text NOT NULL,
  cutoff integer NOT NULL REFERENCES usage_cutoffs,
  taken numeric NOT NULL,
  is_exact boolean NOT NULL,
  PRIMARY KEY (company_id, period, cutoff),
  FOREIGN KEY (company_id, period) REFERENCES billed_periods
);
GRANT SELECT, INSERT, UPDATE ON usage_taken TO paydesk_application;

INSERT INTO usage_taken (company_id, period, cutoff, taken, is_exact)
SELECT company_id, period, cutoff, taken, true FROM billed_periods WHERE taken IS NOT NULL;
ALTER TABLE billed_periods DROP COLUMN taken;
