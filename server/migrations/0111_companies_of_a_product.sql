-- What the operator's product keeps at a company, shown to the operator alone. External ids sort by their code points, wherever the
-- database is.
ALTER TABLE companies
  ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
  ALTER COLUMN external_id TYPE text COLLATE "C";

-- The orders of the operator's list. Companies without an external id are last in both directions.
CREATE INDEX companies_by_name ON companies (name COLLATE "und-x-icu", id);
CREATE INDEX companies_by_external_id ON companies (external_id, id);
CREATE INDEX companies_by_external_id_descending ON companies (external_id DESC NULLS LAST, id DESC);
CREATE INDEX companies_disabled ON companies (id) WHERE disabled_since IS NOT NULL;

CREATE CONSTRAINT TRIGGER companies_counted AFTER INSERT OR DELETE ON companies
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_row();
INSERT INTO row_counts AS counts (table_name, shard, counted) SELECT 'companies', 0, count(*) FROM companies
  ON CONFLICT (table_name, shard) DO UPDATE SET counted = counts.counted + excluded.counted;

CREATE TABLE company_search_terms (
  company_id uuid NOT NULL REFERENCES companies,
  -- What the terms are of: the company, its billing information, or the user with this id.
  source text NOT NULL,
  term text COLLATE "C" NOT NULL,
  PRIMARY KEY (company_id, source, term)
);
CREATE INDEX company_search_terms_by_term ON company_search_terms (term, company_id);
COMMENT ON TABLE company_search_terms IS
  'In small letters, what the operator’s search for companies compares the beginning of: e-mail addresses, external ids, VAT numbers, '
  'and names from each of their words on; written by triggers.';
GRANT SELECT, INSERT, DELETE ON company_search_terms TO paydesk_application;

CREATE FUNCTION set_search_terms(of_company uuid, of_source text, terms text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM company_search_terms WHERE company_id = of_company AND source = of_source;
  INSERT INTO company_search_terms (company_id, source, term)
  SELECT DISTINCT of_company, of_source, lower(given COLLATE "und-x-icu") FROM unnest(terms) AS given WHERE given <> '';
$$;
COMMENT ON FUNCTION set_search_terms IS 'Replaces what the search finds a company by, as far as it is of one source.';

CREATE FUNCTION from_each_word(name text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(substr(name, place)), '{}')
  FROM generate_series(1, char_length(name)) AS place
  WHERE place = 1 OR (
    substr(name, place, 1) ~ ('[[:alnum:]]' COLLATE "und-x-icu") AND substr(name, place - 1, 1) !~ ('[[:alnum:]]' COLLATE "und-x-icu")
  ) OR (substr(name, place, 1) !~ '\s' AND substr(name, place - 1, 1) ~ '\s')
$$;
COMMENT ON FUNCTION from_each_word IS 'A name, and what is left of it from each of its words on.';

CREATE FUNCTION search_company() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_search_terms(new.id, 'company', from_each_word(new.name) || ARRAY[new.email, coalesce(new.external_id, '')]);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION search_company IS 'Keeps what the search finds a company by: its name, e-mail and external id.';
CREATE TRIGGER companies_searched_new AFTER INSERT ON companies FOR EACH ROW
  WHEN (new.name <> '' OR new.email <> '' OR new.external_id IS NOT NULL) EXECUTE FUNCTION search_company();
CREATE TRIGGER companies_searched AFTER UPDATE ON companies FOR EACH ROW
  WHEN ((new.name, new.email, new.external_id) IS DISTINCT FROM (old.name, old.email, old.external_id))
  EXECUTE FUNCTION search_company();

CREATE FUNCTION search_billing_information() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_search_terms(
    new.company_id, 'billing_information', ARRAY[new.tax_id, regexp_replace(new.tax_id, '[^A-Za-z0-9]', '', 'g')]
  );
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION search_billing_information IS
  'Keeps what the search finds a company by: its VAT number, as it was written and without what is between its letters and digits.';
CREATE TRIGGER billing_information_searched_new AFTER INSERT ON billing_information FOR EACH ROW
  WHEN (new.tax_id <> '') EXECUTE FUNCTION search_billing_information();
CREATE TRIGGER billing_information_searched AFTER UPDATE ON billing_information FOR EACH ROW
  WHEN (new.tax_id IS DISTINCT FROM old.tax_id) EXECUTE FUNCTION search_billing_information();

CREATE FUNCTION search_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND old.company_id IS DISTINCT FROM new.company_id AND old.company_id IS NOT NULL THEN
    PERFORM set_search_terms(old.company_id, old.id::text, '{}');
  END IF;
  IF new.company_id IS NOT NULL THEN
    PERFORM set_search_terms(new.company_id, new.id::text, ARRAY[new.email]);
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION search_user IS 'Keeps what the search finds a company by: the e-mail addresses of its members.';
CREATE TRIGGER users_searched_new AFTER INSERT ON users FOR EACH ROW
  WHEN (new.company_id IS NOT NULL) EXECUTE FUNCTION search_user();
CREATE TRIGGER users_searched AFTER UPDATE ON users FOR EACH ROW
  WHEN ((new.company_id, new.email) IS DISTINCT FROM (old.company_id, old.email)) EXECUTE FUNCTION search_user();

SELECT set_search_terms(id, 'company', from_each_word(name) || ARRAY[email, coalesce(external_id, '')]) FROM companies;
SELECT set_search_terms(company_id, 'billing_information', ARRAY[tax_id, regexp_replace(tax_id, '[^A-Za-z0-9]', '', 'g')])
FROM billing_information WHERE tax_id <> '';
SELECT set_search_terms(company_id, id::text, ARRAY[email]) FROM users WHERE company_id IS NOT NULL;
