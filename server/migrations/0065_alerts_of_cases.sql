-- The alert of the last decision that left the case to a person.
ALTER TABLE recovery_cases ADD COLUMN alert uuid;
UPDATE recovery_cases SET alert = (
  SELECT max(id::text)::uuid FROM alerts WHERE alerts.kind = 'recovery_review' AND message = note
) WHERE state = 'person';
