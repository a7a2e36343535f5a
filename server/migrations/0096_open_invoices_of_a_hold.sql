-- What a person decides about invoices that wait is a case of the hold, so that it is resolved as every other case is.
INSERT INTO recovery_cases (company_id, id, hold_id, source, kind, mark, subject, happened_at, state, note)
SELECT '00000000-0000-0000-0000-000000000000', gen_random_uuid(), id, 'journal', 'open_invoices', id, id, now(), 'person',
       'Open invoices wait for a release. Void or credit what is no longer owed, then release them with '
         '`npm run paydesk -- reconcile --adopt --release`.'
FROM (SELECT id FROM charges_holds ORDER BY begun_at DESC LIMIT 1) AS last_hold
WHERE EXISTS (SELECT FROM collections WHERE awaits_release);
