-- A deleted user is a row without personal data, which the audit log and the labels that the user has made refer to.
ALTER TABLE users
  ADD COLUMN deleted_at timestamptz(3),
  -- When the audit log has forgotten the user also in what requests of other processes wrote at the time of the deletion.
  ADD COLUMN forgotten_at timestamptz(3),
  ADD CONSTRAINT users_deleted_are_disabled CHECK (deleted_at IS NULL OR disabled_at IS NOT NULL);
CREATE INDEX users_to_forget ON users (deleted_at) WHERE deleted_at IS NOT NULL AND forgotten_at IS NULL;

-- Empties the personal data in the events about a user. The service itself can't change events.
CREATE FUNCTION forget_user_events(person uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE events
  SET data = (data::jsonb || jsonb_build_object('first_name', '', 'last_name', '', 'email', '', 'phone', '', 'country', '', 'city', '',
                                                'avatar', ''))::json
  WHERE type = 'user.created' AND data ->> 'id' = person::text;
$$;
