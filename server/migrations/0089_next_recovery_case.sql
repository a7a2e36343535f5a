-- The next case that is dealt with is found without those that wait for a person: what is open, and what one company or one writer has.
CREATE INDEX recovery_cases_open_in_line ON recovery_cases (happened_at, id) WHERE state = 'open';
CREATE INDEX recovery_cases_of_company ON recovery_cases (company_id, happened_at, id)
WHERE state = 'person' AND NOT is_foreign AND content IS NOT NULL;
CREATE INDEX recovery_cases_of_writer ON recovery_cases (writer, happened_at, id)
WHERE state = 'person' AND is_foreign AND content IS NOT NULL;
