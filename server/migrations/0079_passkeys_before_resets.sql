-- Of an account whose e-mail nobody had verified when its password was reset: somebody else may have signed up with the address and
-- registered the passkey. It logs nobody in by itself until it was used with the new password.
ALTER TABLE passkeys ADD COLUMN needs_password boolean NOT NULL DEFAULT false;
GRANT UPDATE (needs_password) ON passkeys TO paydesk_application;
