-- A mark is written in the transaction of what must not be forgotten: a charge, a refund, a document. The journal, outside of the
-- database, and the gateway's objects name it too. A database that lacks a mark that they have went back to an earlier state.
CREATE TABLE marks (
  -- The nil UUID for what concerns no company.
  company_id uuid NOT NULL,
  mark uuid NOT NULL,
  kind text NOT NULL,
  -- The row that it is about.
  subject uuid NOT NULL,
  written_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Whether some journal has it.
  is_journaled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, mark)
) WITH (fillfactor = 80);
CREATE INDEX marks_by_time ON marks (written_at);
CREATE INDEX marks_to_journal ON marks (written_at) WHERE NOT is_journaled;
GRANT SELECT, INSERT, UPDATE (is_journaled), DELETE ON marks TO paydesk_application;

-- The journals that machines keep for this database.
CREATE TABLE journals (
  id uuid PRIMARY KEY,
  host text NOT NULL,
  directory text NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  -- When a person said that it will not come back.
  lost_at timestamptz(3)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON journals TO paydesk_application;

-- Why and since when nothing is charged, refunded, billed or corrected. One without an end holds.
CREATE TABLE charges_holds (
  id uuid PRIMARY KEY,
  reason text NOT NULL,
  begun_at timestamptz(3) NOT NULL DEFAULT now(),
  -- The last pass over the gateways and the journals during the hold, and how many differences it found.
  last_pass_at timestamptz(3),
  last_pass_found integer,
  ended_at timestamptz(3)
);
CREATE UNIQUE INDEX charges_holds_one ON charges_holds ((true)) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE (reason, last_pass_at, last_pass_found, ended_at) ON charges_holds TO paydesk_application;

-- An alert may concern no company: then company_id is the nil UUID.
ALTER TABLE alerts DROP CONSTRAINT alerts_company_id_fkey;
