-- Numbers of documents that this database has lost and that can't be written again. They are never given again.
CREATE TABLE lost_numbers (
  -- Without a foreign key: the company may be lost too.
  company_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('invoice', 'credit_note')),
  number text NOT NULL,
  total numeric(20, 4) NOT NULL,
  -- Null where it is not known.
  currency text,
  reason text NOT NULL,
  recorded_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, type, number)
);
GRANT SELECT, INSERT, DELETE ON lost_numbers TO paydesk_application;
