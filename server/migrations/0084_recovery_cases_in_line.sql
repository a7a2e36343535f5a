-- The number that a lost document has, so that nobody reads all contents for it; and what waits, in the order in which it is dealt with.
ALTER TABLE recovery_cases ADD COLUMN number text;
UPDATE recovery_cases SET number = CASE source
  WHEN 'journal' THEN content::json ->> 'number'
  ELSE coalesce(content::json -> 'details' ->> 'invoiceNumber', content::json -> 'details' ->> 'creditNoteNumber')
END
WHERE state = 'open' AND content IS NOT NULL AND kind IN ('invoice', 'credit_note', 'payment', 'refund');
CREATE INDEX recovery_cases_in_line ON recovery_cases (happened_at, id) WHERE state <> 'done';
CREATE INDEX recovery_cases_open_by_id ON recovery_cases (hold_id, id) WHERE state = 'open';
