-- What keeps strangers from guessing passwords, and from locking out those who have the right one.

-- Failures from a network or device that the account has logged in from before; they count there alone.
ALTER TABLE login_failures ADD COLUMN is_known boolean NOT NULL DEFAULT false;

-- Networks that accounts were logged in from, as keyed hashes.
CREATE TABLE known_networks (
  user_id uuid NOT NULL REFERENCES users (id),
  network_hash bytea NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, network_hash)
);
CREATE INDEX known_networks_by_time ON known_networks (seen_at);

-- An address or an e-mail (as a hash) that was guessed for too often, and how many times in a row: each lock is longer than the one before.
CREATE TABLE login_locks (
  subject text PRIMARY KEY,
  locks integer NOT NULL DEFAULT 1,
  locked_until timestamptz(3) NOT NULL
);
CREATE INDEX login_locks_by_time ON login_locks (locked_until);

-- How many sign-ups and logins a network has had in the hour that began with the first of them.
CREATE TABLE network_counts (
  kind text NOT NULL CHECK (kind IN ('sign_up', 'login')),
  network text NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT now(),
  count integer NOT NULL DEFAULT 1,
  PRIMARY KEY (kind, network)
) WITH (fillfactor = 70);

GRANT SELECT, INSERT, UPDATE, DELETE ON known_networks, login_locks, network_counts TO paydesk_application;
