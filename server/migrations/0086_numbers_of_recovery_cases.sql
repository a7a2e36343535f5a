-- The number of a case follows from its content, also of a case that another version of the service writes, or that is opened again.
ALTER TABLE recovery_cases DROP COLUMN number;
ALTER TABLE recovery_cases ADD COLUMN number text GENERATED ALWAYS AS (
  CASE
    WHEN source = 'journal' AND kind IN ('invoice', 'credit_note') THEN content::json ->> 'number'
    WHEN source = 'gateway' AND kind = 'payment' THEN content::json #>> '{details,invoiceNumber}'
    WHEN source = 'gateway' AND kind = 'refund' THEN content::json #>> '{details,creditNoteNumber}'
  END
) STORED;
