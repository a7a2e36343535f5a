-- A journal is given up in one way, whatever is wrong with it: it is not here, some of its lines are damaged, or it went back too.
UPDATE journals SET lost_in = damage_lost_in WHERE damage_lost_in IS NOT NULL;
UPDATE journals SET lost_in = read_in
WHERE read_in IN (SELECT id FROM charges_holds WHERE ended_at IS NULL AND unjournaled_lost_at IS NOT NULL);
UPDATE journals SET read_in = NULL WHERE damage IS NOT NULL;
ALTER TABLE journals DROP COLUMN damage_lost_in;
ALTER TABLE charges_holds DROP COLUMN unjournaled_lost_at;

-- What another database writes to the same journal is not told apart any more: two databases must not share a journal.
DROP INDEX recovery_cases_of_writer;
DROP INDEX recovery_cases_of_company;
ALTER TABLE recovery_cases DROP COLUMN writer, DROP COLUMN is_foreign;
CREATE INDEX recovery_cases_of_company ON recovery_cases (company_id, happened_at, id) WHERE state = 'person' AND content IS NOT NULL;
ALTER TABLE charges_holds DROP COLUMN other_database_at;
DROP TABLE journal_writers;

-- Invoices of journals are written again before everything else.
CREATE INDEX recovery_cases_open_invoices ON recovery_cases (happened_at, id) WHERE state = 'open' AND kind = 'invoice';

-- What only reminds a person of an earlier decision is no case any more.
UPDATE recovery_cases SET state = 'done', content = NULL, decided_at = now()
WHERE state <> 'done' AND kind IN ('payment_decision', 'refund_decision', 'account');
