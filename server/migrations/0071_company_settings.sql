-- How the members of a company sign in, and who still may with a password where the company demands its provider.
ALTER TABLE companies
  ADD COLUMN sign_in text NOT NULL DEFAULT 'password' CHECK (sign_in IN ('password', 'sso')),
  ADD COLUMN break_glass_member_id uuid;
