-- What any mail says is deleted after 30 days, and every mail after two years: that of mails about accounts was deleted with them.
DROP INDEX mails_with_facts;
CREATE INDEX mails_with_content ON mails (created_at) WHERE facts IS NOT NULL OR content IS NOT NULL;
