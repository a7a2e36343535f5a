-- What a gateway or a journal has and the database lacks, found during a hold.
CREATE TABLE recovery_cases (
  -- The nil UUID where the company is not known.
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  hold_id uuid NOT NULL REFERENCES charges_holds,
  source text NOT NULL CHECK (source IN ('gateway', 'journal')),
  -- Of a gateway: payment or refund. Of a journal: the kind of its entry.
  kind text NOT NULL,
  -- Of the journal's entry, or the id of ours that the gateway's object carries.
  mark uuid,
  -- The row that the journal's entry is about.
  subject uuid,
  gateway text,
  object_id text,
  -- When it happened: by the journal, else by the gateway.
  happened_at timestamptz(3) NOT NULL,
  -- The journal's document or the gateway's object as JSON text. Null again once it is done, because it names buyers.
  content text,
  -- The request that caused it, as the journal names it.
  request json,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'person')),
  -- What was done, or what a person has to do.
  note text,
  found_at timestamptz(3) NOT NULL DEFAULT now(),
  decided_at timestamptz(3),
  PRIMARY KEY (company_id, id),
  CHECK (source = 'journal' OR gateway IS NOT NULL AND object_id IS NOT NULL),
  CHECK (source = 'gateway' OR mark IS NOT NULL AND subject IS NOT NULL)
);
CREATE INDEX recovery_cases_by_id ON recovery_cases (id);
CREATE INDEX recovery_cases_in_order ON recovery_cases (hold_id, state, happened_at, id);
CREATE UNIQUE INDEX recovery_cases_object_taken ON recovery_cases (gateway, object_id, kind, hold_id) WHERE source = 'gateway';
CREATE UNIQUE INDEX recovery_cases_entry_taken ON recovery_cases (company_id, mark, kind, hold_id) WHERE source = 'journal';
GRANT SELECT, INSERT, UPDATE ON recovery_cases TO paydesk_application;

-- During a hold: all marks that journals have and the database lacks. The end of the hold writes them.
CREATE TABLE missing_marks (
  company_id uuid NOT NULL,
  mark uuid NOT NULL,
  kind text NOT NULL,
  subject uuid NOT NULL,
  happened_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, mark)
);
CREATE INDEX missing_marks_by_mark ON missing_marks (mark);
GRANT SELECT, INSERT, UPDATE (happened_at), DELETE ON missing_marks TO paydesk_application;

-- From when on the gateways are compared during this hold.
ALTER TABLE charges_holds ADD COLUMN compared_from timestamptz(3);
GRANT UPDATE (compared_from) ON charges_holds TO paydesk_application;

-- When the whole journal was last read into missing_marks.
ALTER TABLE journals ADD COLUMN read_at timestamptz(3);

-- When a process last began to compare the gateways: one of them does so at a time.
ALTER TABLE installation ADD COLUMN gateways_compared_at timestamptz(3);
GRANT UPDATE (gateways_compared_at) ON installation TO paydesk_application;
