-- Numbers of invoices and credit notes: unique for the seller, and without a gap.

-- One row: how the documents that are issued from now on are numbered.
CREATE TABLE numbering (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  series text NOT NULL DEFAULT 'seller' CHECK (series IN ('seller', 'company')),
  invoice_prefix text NOT NULL DEFAULT 'INV-',
  credit_note_prefix text NOT NULL DEFAULT 'CN-',
  yearly_restart boolean NOT NULL DEFAULT false,
  -- Where its years begin.
  timezone text NOT NULL DEFAULT 'UTC',
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT numbering_prefixes_differ CHECK (invoice_prefix <> credit_note_prefix)
);
INSERT INTO numbering DEFAULT VALUES;

-- A series is all numbers that begin with one prefix. No prefix ends with a digit, so a number belongs to one series alone.
-- Whoever takes numbers holds the row until the transaction ends, so a series has no gap.
CREATE TABLE number_series (
  prefix text PRIMARY KEY,
  last_number bigint NOT NULL CHECK (last_number > 0)
) WITH (fillfactor = 50);

-- Every company had a series of its own, all of them with these prefixes. The first number of the seller's comes after all of theirs.
INSERT INTO number_series SELECT 'INV-', max(last_number) FROM invoice_numbers HAVING max(last_number) > 0;
INSERT INTO number_series SELECT 'CN-', max(last_number) FROM credit_note_numbers HAVING max(last_number) > 0;
DROP TABLE invoice_numbers, credit_note_numbers;

-- What the numbers of a company begin with, after the seller's prefix, while each company has a series; null: the end of its id.
ALTER TABLE companies ADD COLUMN number_prefix text;
CREATE UNIQUE INDEX companies_number_prefix_taken ON companies (number_prefix) WHERE number_prefix IS NOT NULL;

-- The prefix of the number's series; null for what was issued while each company counted from one, whose numbers repeat.
ALTER TABLE invoices ADD COLUMN number_series text;
ALTER TABLE credit_notes ADD COLUMN number_series text;
CREATE UNIQUE INDEX invoices_number_of_seller_taken ON invoices (number) WHERE number_series IS NOT NULL;
CREATE UNIQUE INDEX credit_notes_number_of_seller_taken ON credit_notes (number) WHERE number_series IS NOT NULL;
-- The operator looks old invoices up by their numbers, too.
CREATE INDEX invoices_by_repeated_number ON invoices (number, id) WHERE number_series IS NULL;

GRANT SELECT, UPDATE ON numbering TO paydesk_application;
GRANT SELECT, INSERT, UPDATE ON number_series TO paydesk_application;
