-- A user sees the links to providers, and ends them. A company's provider opens an account only by a link of its own, which needs the
-- consent of a user with a password or a second factor, and which ends with the membership. The links that members have stay good for it.
ALTER TABLE sign_in_links
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT sign_in_links_id UNIQUE,
  -- Whether the provider of the user's company may use it.
  ADD COLUMN is_of_company boolean NOT NULL DEFAULT false,
  -- Of the last use: the name of the provider, and what it has said. Null for links that were not used since these columns are there.
  ADD COLUMN provider text,
  ADD COLUMN email text,
  ADD COLUMN last_used_at timestamptz(3);
ALTER TABLE sign_in_links ALTER COLUMN id DROP DEFAULT;
UPDATE sign_in_links SET is_of_company = true FROM users WHERE users.id = user_id AND users.company_id IS NOT NULL;
GRANT UPDATE ON sign_in_links TO paydesk_application;
COMMENT ON TABLE sign_in_links IS
  'Which account a user of a provider has, and whether the provider of the user’s company may use it.';
