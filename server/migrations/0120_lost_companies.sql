-- What a gateway or a journal says about the company of a case: by its external id a company that is lost is found, or made again.
ALTER TABLE recovery_cases ADD COLUMN company_external_id text;
CREATE INDEX recovery_cases_open_companies ON recovery_cases (happened_at, id) WHERE state = 'open' AND kind = 'company';
CREATE INDEX recovery_cases_of_lost_company ON recovery_cases (subject, happened_at) WHERE kind = 'company';
