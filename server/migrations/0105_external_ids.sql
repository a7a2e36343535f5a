-- The id that the operator's product has for a company: unique in the installation, null until the operator sets it.
ALTER TABLE companies ADD COLUMN external_id text
  CONSTRAINT companies_external_id_check CHECK (char_length(external_id) BETWEEN 1 AND 255);
CREATE UNIQUE INDEX companies_external_id_taken ON companies (external_id);
