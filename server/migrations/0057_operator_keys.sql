-- The operator has several keys with names and roles. The first one is that of the environment or the data directory.
ALTER TABLE operator_keys DROP CONSTRAINT operator_keys_id_check;
ALTER TABLE operator_keys ALTER COLUMN id DROP DEFAULT;
ALTER TABLE operator_keys ALTER COLUMN id TYPE uuid USING gen_random_uuid();
ALTER TABLE operator_keys RENAME COLUMN updated_at TO created_at;
ALTER TABLE operator_keys
  ADD COLUMN name text NOT NULL DEFAULT 'first',
  ADD COLUMN role text NOT NULL DEFAULT 'admin' CHECK (role IN ('viewer', 'finance', 'admin')),
  -- How the key begins, by which its holder recognizes it.
  ADD COLUMN prefix text NOT NULL DEFAULT 'opk_',
  ADD COLUMN is_first boolean NOT NULL DEFAULT true,
  ADD COLUMN last_used_at timestamptz(3),
  ADD COLUMN expires_at timestamptz(3);
ALTER TABLE operator_keys
  ALTER COLUMN name DROP DEFAULT,
  ALTER COLUMN role DROP DEFAULT,
  ALTER COLUMN prefix DROP DEFAULT,
  ALTER COLUMN is_first DROP DEFAULT,
  ADD CHECK (NOT is_first OR (role = 'admin' AND expires_at IS NULL));
CREATE UNIQUE INDEX operator_keys_first ON operator_keys (is_first) WHERE is_first;
CREATE INDEX operator_keys_by_hash ON operator_keys (key_hash);
GRANT DELETE ON operator_keys TO paydesk_application;
