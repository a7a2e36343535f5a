-- The list of cases names the invoice that a case is about, which may be a case itself.
CREATE INDEX recovery_cases_of_lost_invoice ON recovery_cases (company_id, subject) WHERE kind = 'invoice' AND content IS NOT NULL;
