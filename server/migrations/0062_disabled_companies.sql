-- The operator can disable a company: its members read and write nothing, and nothing is collected by itself.
ALTER TABLE companies ADD COLUMN disabled_since timestamptz(3);

CREATE OR REPLACE FUNCTION collects_automatically(of_company_id uuid, of_method text) RETURNS boolean LANGUAGE sql STABLE
RETURN (
  SELECT companies.disabled_since IS NULL AND (companies.collection = 'automatic' OR (companies.collection = 'by_card' AND CASE of_method
    WHEN 'Card' THEN EXISTS (SELECT FROM cards WHERE cards.company_id = companies.id AND is_default AND deleted_at IS NULL)
    ELSE EXISTS (
      SELECT FROM paypal_accounts AS accounts
      WHERE accounts.company_id = companies.id AND accounts.is_default AND accounts.deleted_at IS NULL
    )
  END))
  FROM companies WHERE companies.id = of_company_id
);

-- What became due meanwhile is tried once the company is enabled.
DROP TRIGGER companies_to_collect ON companies;
CREATE TRIGGER companies_to_collect AFTER UPDATE ON companies FOR EACH ROW
  WHEN (NEW.collection <> 'manual' AND NEW.disabled_since IS NULL AND (NEW.collection <> OLD.collection OR OLD.disabled_since IS NOT NULL))
  EXECUTE FUNCTION wake_collections_by_setting();
