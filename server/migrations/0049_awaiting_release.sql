-- What was open when a hold ended without all journals may have been voided or paid in another way since. It is charged neither by itself
-- nor by hand until a person releases it.
ALTER TABLE collections ADD COLUMN awaits_release boolean NOT NULL DEFAULT false;
DROP INDEX collections_due;
CREATE INDEX collections_due ON collections (gateway, next_attempt_at) WHERE state = 'scheduled' AND NOT awaits_release;
CREATE INDEX collections_awaiting_release ON collections (company_id, invoice_id) WHERE awaits_release;
