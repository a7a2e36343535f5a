-- What requests cost. The prices of one path, currency and company are versions of each other: each is in force from its start
-- until the next one's, or until its own end. A version is never edited.
CREATE TABLE prices (
  id uuid PRIMARY KEY,
  -- Whose override it is; null for a general price.
  company_id uuid REFERENCES companies (id),
  -- The same as one value, for keys and look-ups: the nil UUID stands for the general prices.
  scope uuid NOT NULL GENERATED ALWAYS AS (coalesce(company_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
  -- Exact, or a prefix that ends in *.
  path text COLLATE "C" NOT NULL,
  title text NOT NULL,
  currency text NOT NULL,
  model text NOT NULL CHECK (model IN ('flat', 'package', 'graduated', 'volume')),
  -- The amounts of the model as the operator wrote them, and its bounds.
  rates json NOT NULL,
  free_requests bigint NOT NULL CHECK (free_requests >= 0),
  pooled boolean NOT NULL,
  -- Usage is counted by the hour, so no price changes within one.
  effective_from timestamptz(3) NOT NULL CHECK (extract(epoch FROM effective_from) % 3600 = 0),
  effective_to timestamptz(3) CHECK (extract(epoch FROM effective_to) % 3600 = 0),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (effective_to > effective_from)
);
CREATE UNIQUE INDEX prices_version_taken ON prices (scope, currency, path, effective_from);
-- The order of the list.
CREATE INDEX prices_listed ON prices (path, currency, scope, effective_from DESC);

GRANT SELECT, INSERT, DELETE ON prices TO paydesk_application;
-- What a price says is not to be changed, but for when it ends.
GRANT UPDATE (effective_to, updated_at) ON prices TO paydesk_application;
