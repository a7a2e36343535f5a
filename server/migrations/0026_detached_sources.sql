-- A card or an account that is deleted here is made unusable at its gateway: a restored database would have it again. `detach_at` is when
-- that is tried next; null once it is done.

ALTER TABLE cards ADD COLUMN detach_at timestamptz(3);
ALTER TABLE paypal_accounts ADD COLUMN detach_at timestamptz(3);
UPDATE cards SET detach_at = now() WHERE deleted_at IS NOT NULL;
UPDATE paypal_accounts SET detach_at = now() WHERE deleted_at IS NOT NULL;
CREATE INDEX cards_to_detach ON cards (detach_at) WHERE detach_at IS NOT NULL;
CREATE INDEX paypal_accounts_to_detach ON paypal_accounts (detach_at) WHERE detach_at IS NOT NULL;
