import { constantPart, type Queryable } from '../../platform/database/database.ts';
import { missingRow } from '../../platform/errors.ts';

/** What a payment's object at the gateway says about its invoice, and what is known here about where the debt's objects are. */
export type DebtRow = {
  debt: string;
  companyExternalId: string | null;
  installation: string;
  invoiceNumber: string;
  /** In major units; the rate in percent, all rates with commas between where there are several. */
  total: string;
  taxRate: string;
  /** The invoice's lines as JSON text, with their amounts as text, if it is for usage. */
  usageLines: string | null;
  /** The earliest time at which the debt can have been captured; null for one that may have been issued again under its reference. */
  owedSince: Date | null;
  customer: string | null;
  /** JSON texts. */
  sourceTokens: string;
  known: string;
};

/** `DebtRow.owedSince` of an invoice whose debt is `named.debt`. */
const owedSince = constantPart(
  (db) => db`CASE WHEN named.debt LIKE 'usage:%' THEN end_at WHEN reference IS NULL THEN invoices.created_at END`,
);

/**
 * Reads the debt of the company's invoice for a gateway. Cards and accounts there that the company has deleted are included, since
 * they keep their tokens.
 * @throws ApiError service_unavailable when the database went back to before the invoice
 */
export async function selectDebt(
  db: Queryable,
  companyId: string,
  { invoiceId, gateway }: { invoiceId: string; gateway: string },
): Promise<DebtRow> {
  const [row] = await db<DebtRow[]>`
    SELECT named.debt, (SELECT external_id FROM companies WHERE companies.id = invoices.company_id) AS "companyExternalId",
           (SELECT id FROM installation) AS installation, number AS "invoiceNumber",
           money_text(total, minor_unit_digits) AS total,
           coalesce(trim_scale(tax_rate)::text, (
             SELECT string_agg(of_rate ->> 'rate', ',') FROM json_array_elements(taxes) AS of_rate
           )) AS "taxRate",
           CASE WHEN named.debt LIKE 'usage:%' THEN (
             SELECT json_agg(json_build_object('kind', line ->> 'kind', 'amount', line ->> 'amount', 'period', line -> 'period'))::text
             FROM json_array_elements(details) AS line
           ) END AS "usageLines",
           ${owedSince(db)} AS "owedSince",
           (SELECT customer FROM gateway_customers
            WHERE gateway_customers.company_id = invoices.company_id AND gateway_customers.gateway = ${gateway}) AS customer,
           (SELECT coalesce(json_agg(DISTINCT token), '[]')::text FROM (
              SELECT gateway_token AS token FROM cards WHERE cards.company_id = invoices.company_id AND cards.gateway = ${gateway}
              UNION ALL
              SELECT gateway_token FROM paypal_accounts
              WHERE paypal_accounts.company_id = invoices.company_id AND paypal_accounts.gateway = ${gateway}
            ) AS sources) AS "sourceTokens",
           (SELECT coalesce(json_agg(json_build_object(
              'gatewayPaymentId', gateway_payment_id, 'reference', payments.id, 'carriesDebt', debt_sequence IS NOT NULL,
              'isPart', is_part)), '[]')::text
            FROM payments
            WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
              AND payments.gateway = ${gateway}) AS known
    FROM invoices CROSS JOIN LATERAL (SELECT debt_of(invoices) AS debt OFFSET 0) AS named
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}`;
  if (row === undefined) throw missingRow('invoice');
  return row;
}

/** Lists the gateways where the company has a card or account, or had one while the invoice was owed, and so may have been charged. */
export async function selectGatewaysOf(db: Queryable, companyId: string, invoiceId: string): Promise<string[]> {
  const rows = await db<{ gateway: string }[]>`
    WITH sources AS (
      SELECT gateway, deleted_at FROM cards WHERE company_id = ${companyId}
      UNION ALL
      SELECT gateway, deleted_at FROM paypal_accounts WHERE company_id = ${companyId}
    )
    SELECT DISTINCT gateway FROM sources, invoices CROSS JOIN LATERAL (SELECT debt_of(invoices) AS debt OFFSET 0) AS named
    WHERE invoices.company_id = ${companyId} AND invoices.id = ${invoiceId}
      AND (deleted_at IS NULL OR deleted_at >= coalesce(${owedSince(db)}, '-infinity'))`;
  return rows.map(({ gateway }) => gateway);
}
