-- The credit note of a refund that was made at a gateway, as the journal knows it: the gateway's object does not name it.
ALTER TABLE missing_marks ADD COLUMN credit_note_id uuid;
GRANT UPDATE (credit_note_id) ON missing_marks TO paydesk_application;
