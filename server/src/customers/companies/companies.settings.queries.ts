import type { Queryable, Tx } from '../../platform/database/database.ts';
import { settingsColumns } from './companies.parts.queries.ts';
import type { BillingSettings, BillingSettingsBody, LateUsageKind } from './companies.settings.schema.ts';

export type BillingSettingsRow = Omit<BillingSettings, 'taxExempt' | 'vatId' | 'lateUsage'> & {
  taxId: string;
  country: string;
  sellerTaxId: string;
  lateUsageKind: LateUsageKind;
  lateUsageDays: number | null;
};

/** The company's settings with the tax id of its billing information; null when there is no such company. */
export async function selectBillingSettings(db: Queryable, companyId: string): Promise<BillingSettingsRow | null> {
  const [row] = await db<BillingSettingsRow[]>`
    SELECT ${settingsColumns(db)}
    FROM companies
    LEFT JOIN billing_information ON billing_information.company_id = companies.id
    WHERE companies.id = ${companyId}`;
  return row ?? null;
}

/** Writes the given settings. */
export async function updateBillingSettings(tx: Tx, companyId: string, body: BillingSettingsBody): Promise<void> {
  const kind = body.lateUsage?.kind ?? null;
  const days = kind === 'refuse' ? (body.lateUsage?.days ?? null) : null;
  const dunningDays = body.dunningDays === undefined ? null : JSON.stringify(body.dunningDays);
  await tx`
    UPDATE companies
    SET billing_currency = coalesce(${body.currency ?? null}, billing_currency),
        tax_rate = coalesce(${body.taxRate ?? null}::text::numeric, tax_rate),
        exempt_with_tax_id = coalesce(${body.exemptWithTaxId ?? null}, exempt_with_tax_id),
        timezone = coalesce(${body.timezone ?? null}, timezone),
        late_usage_kind = coalesce(${kind}, late_usage_kind),
        late_usage_days = CASE WHEN ${kind}::text IS NULL THEN late_usage_days ELSE ${days}::integer END,
        invoice_grace_hours = coalesce(${body.invoiceGraceHours ?? null}, invoice_grace_hours),
        collection = coalesce(${body.collection ?? null}, collection), net_days = coalesce(${body.netDays ?? null}, net_days),
        dunning_days = coalesce(${dunningDays}::text::jsonb, dunning_days),
        payment_method = coalesce(${body.paymentMethod ?? null}, payment_method),
        number_prefix = nullif(coalesce(${body.numberPrefix ?? null}, number_prefix), ''),
        updated_at = now()
    WHERE id = ${companyId}`;
}
