-- Whether only the provider of the user's company says that the e-mail is verified. That ends with the membership: the provider of one
-- company decides nothing about an account that may join another.
ALTER TABLE users ADD COLUMN email_vouched_for boolean NOT NULL DEFAULT false;
