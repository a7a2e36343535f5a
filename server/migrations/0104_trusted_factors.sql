-- What a user logs in with (passkeys, TOTP, recovery codes, links to providers) counts as that of the owner of the e-mail address if it was
-- set up from `trusted_from` on, which is when somebody has shown to read the address, and before `trusted_until`. Null: never, and without
-- an end.
ALTER TABLE users ADD COLUMN trusted_from timestamptz(3), ADD COLUMN trusted_until timestamptz(3);
UPDATE users SET trusted_from = email_verified_at WHERE email_verified_at IS NOT NULL AND NOT email_vouched_for;

-- A way back to an address also goes back to what counted when the change was asked for.
ALTER TABLE email_reverts ADD COLUMN trusted_from timestamptz(3), ADD COLUMN asked_at timestamptz(3) NOT NULL DEFAULT now();

-- Recovery codes come with the first factor.
ALTER TABLE recovery_codes ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now();
UPDATE recovery_codes SET created_at = first.created_at
FROM (
  SELECT user_id, min(created_at) AS created_at FROM (
    SELECT user_id, created_at FROM passkeys
    UNION ALL SELECT user_id, confirmed_at FROM totp_secrets WHERE confirmed_at IS NOT NULL
  ) AS factors GROUP BY user_id
) AS first
WHERE first.user_id = recovery_codes.user_id;

-- A passkey from before a reset ends with it now. It used to need the password instead.
DELETE FROM passkeys WHERE needs_password;
DELETE FROM recovery_codes WHERE NOT EXISTS (SELECT FROM passkeys WHERE passkeys.user_id = recovery_codes.user_id)
  AND NOT EXISTS (SELECT FROM totp_secrets WHERE totp_secrets.user_id = recovery_codes.user_id AND confirmed_at IS NOT NULL);
ALTER TABLE passkeys DROP COLUMN needs_password;
