import { validate as isUuid } from 'uuid';
import { assertNotHeld } from '../../../continuity/hold/charges-hold.service.ts';
import { recordMark, recordMarks } from '../../../continuity/journal/journal.service.ts';
import {
  isReverseCharge,
  lockCompanies,
  readBillingSettingsOfMany,
} from '../../../customers/companies/companies.service.ts';
import { sideBySide, type Tx } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { parseInstant } from '../../../platform/http/schema/instants.ts';
import type { Json } from '../../../platform/http/schema/json.ts';
import { holdsCardNumberAnywhere } from '../../../platform/logging/card-numbers.ts';
import { minorUnitDigits } from '../../../platform/money/currencies.ts';
import { jsonNumber } from '../../../platform/money/decimal.ts';
import {
  AmountError,
  computeTotals,
  formatAmount,
  fromMinor,
  type RateTotals,
  type Totals,
} from '../../../platform/money/money.ts';
import { sellerRequired } from '../../../seller/seller.service.ts';
import { mailIssued } from '../mails/issued-mail.service.ts';
import { nameDebt } from '../record/debt.ts';
import { selectInvoice } from '../record/invoices.queries.ts';
import type { CreateInvoiceBody, Invoice } from '../record/invoices.schema.ts';
import { recordInvoiceEvents } from '../record/record.ts';
import { type InvoiceDraft, selectInvoiceOfDebt } from './create.queries.ts';
import { type InsertedInvoice, insertInvoices } from './create.worker.queries.ts';

const MAX_METADATA_BYTES = 16 * 1024;

/**
 * Issues an invoice. Afterwards only its status changes. If the company already has an invoice with this reference,
 * returns that one, with 200.
 * @returns the Invoice as JSON text
 * @throws ApiError 400 naming the field; reference_taken, seller_required
 */
export async function createInvoice(
  tx: Tx,
  companyId: string,
  body: CreateInvoiceBody,
  issuing: Issuing,
): Promise<{ status: 200 | 201; invoice: Json<typeof Invoice> }> {
  // Fields of computed lines are not accepted from requests.
  const details = body.details.map(({ title, path = '', totalRequest = '0', currency, amount }) => {
    return { title, path, totalRequest, currency, amount };
  });
  const drafted = draftInvoice(companyId, { ...body, details });
  // Serializes requests with the same reference, and changes of the buyer's data on the invoice.
  await lockCompanies(tx, [drafted.companyId]);
  const draft = { ...drafted, reverseCharge: await bearsReverseCharge(tx, drafted) };
  const earlier = draft.reference === null ? null : await findEarlier(tx, draft);
  if (earlier !== null) {
    await recordMark(tx, companyId, null);
    return { status: 200, invoice: earlier };
  }
  await createInvoices(tx, [draft], issuing);
  const invoice = (await selectInvoice(tx, companyId, draft.id)) ?? Promise.reject(notFound('invoice'));
  return { status: 201, invoice: await invoice };
}

/** Whether the operator has exempted the company and the invoice has no tax. @throws ApiError 400 */
async function bearsReverseCharge(tx: Tx, { companyId, taxRate }: InvoiceDraft): Promise<boolean> {
  const [settings] = await readBillingSettingsOfMany(tx, [companyId]);
  if (settings === undefined) return refuseCompany();
  return taxRate !== null && /^0*\.?0*$/.test(taxRate) && isReverseCharge(settings);
}

/** @throws ApiError reference_taken */
async function findEarlier(tx: Tx, draft: InvoiceDraft): Promise<Json<typeof Invoice> | null> {
  const earlier = await selectInvoiceOfDebt(tx, draft.companyId, draft);
  if (earlier === null || earlier.isSame) return earlier?.json ?? null;
  throw new ApiError('reference_taken', 'The company has another invoice with this reference.', {
    details: [{ field: 'reference', message: 'is already used by a different invoice' }],
  });
}

/**
 * Drafts an invoice without its number. It reads nothing, so an invalid invoice is refused before anything is written.
 * `month` is that of a billing run, such as 2026-10. With it, the same id results again if the database has lost the
 * invoice. @throws ApiError 400 naming the field
 */
export function draftInvoice(companyId: string, body: InvoiceBody, month: string | null = null): InvoiceDraft {
  const period = readPeriod(body);
  const currency = readCurrency(body.details);
  const metadata = readMetadata(body.metadata ?? null);
  const { taxRate, taxes, ...amounts } = computeInvoice(body.details, body.taxRate ?? '0', currency);
  if (!isUuid(companyId)) refuseCompany();
  const reference = body.reference ?? null;
  return {
    companyId: companyId.toLowerCase(),
    ...nameDebt(companyId.toLowerCase(), { month, reference, periodEndAt: period.endAt }),
    ...period,
    method: body.method ?? 'Card',
    currency,
    minorUnitDigits: minorUnitDigits(currency),
    taxRate: taxRate === '' ? null : taxRate,
    taxes: taxRate === '' ? taxes : null,
    ...amounts,
    metadata,
    reference,
    reverseCharge: false,
  };
}

/** The time of the billing clock, and whether an invoice without a seller is refused. */
type Issuing = { issuedAt: Date; needsSeller: boolean };

/**
 * Issues drafts, at most one per company, numbered in their order. The numbers' series stays locked until the transaction ends, so all
 * statements are sent together, without a wait between them.
 * The seller is checked on the invoices as inserted, since it may change until then.
 * @throws ApiError 400 when there is no such company; charges_held, seller_required
 */
export async function createInvoices(
  tx: Tx,
  drafts: readonly InvoiceDraft[],
  { issuedAt, needsSeller }: Issuing,
): Promise<InsertedInvoice[]> {
  if (drafts.length === 0) return [];
  const keys = drafts.map(({ companyId, id }) => ({ companyId, id }));
  const inserting = insertInvoices(tx, drafts, issuedAt);
  const marks = keys.map(({ companyId, id }) => ({
    companyId,
    kind: 'invoice',
    subject: id,
    ...documentOf(inserting, id),
  }));
  const [, inserted] = await sideBySide([
    assertNotHeld(tx),
    inserting,
    recordInvoiceEvents(tx, 'invoice.created', keys),
    mailIssued(tx, keys),
    recordMarks(tx, marks),
  ]);
  if (inserted.length < drafts.length) return refuseCompany();
  if (needsSeller && inserted.some(({ hasSeller }) => !hasSeller)) throw sellerRequired();
  return inserted;
}

/** What the journal keeps of an invoice that is being inserted. */
function documentOf(inserting: Promise<InsertedInvoice[]>, id: string) {
  const found = inserting.then((inserted) => inserted.find((invoice) => invoice.id === id) ?? refuseCompany());
  const document = found.then((invoice) => invoice.document);
  const companyExternalId = found.then((invoice) => invoice.companyExternalId);
  // Nobody asks for them when the transaction fails.
  for (const promise of [document, companyExternalId]) promise.catch(() => undefined);
  return { document, companyExternalId };
}

function refuseCompany(): never {
  throw invalidField('companyId', 'must be the id of a company');
}

/**
 * The origin of a computed line: the version of a price or the item, its period if it differs from the invoice's, and
 * its tax rate.
 */
type Computed = {
  kind?: string;
  priceId?: string | null;
  period?: { startAt: string; endAt: string };
  taxRate?: string;
  itemId?: string;
  unitAmount?: string;
};
type InvoiceBody = Omit<CreateInvoiceBody, 'companyId' | 'details'> & {
  details: (Required<CreateInvoiceBody['details'][number]> & Computed)[];
};
type LineItem = Pick<InvoiceBody['details'][number], 'title' | 'path' | 'totalRequest' | 'amount' | keyof Computed>;

export type TaxOfRate = { rate: string; net: string; tax: string };

type ComputedInvoice = {
  /** Percent; empty if there are several. */
  taxRate: string;
  taxes: TaxOfRate[];
  subTotal: string;
  tax: string;
  total: string;
  details: Json<typeof Invoice.properties.details>;
};

/** Writes the taxes by rate, in major units. */
export function writeTaxes(byRate: readonly RateTotals[], currency: string): TaxOfRate[] {
  return byRate.map(({ rate, netMinor, taxMinor }) => {
    return { rate, net: formatAmount(netMinor, currency), tax: formatAmount(taxMinor, currency) };
  });
}

/**
 * Computes the totals and lines of an invoice: amounts in major units, lines as JSON text. @throws ApiError 400 naming
 * the field
 */
export function computeInvoice(details: readonly LineItem[], taxRate: string, currency: string): ComputedInvoice {
  const totals = readTotals(details, taxRate, currency);
  const [first, ...others] = totals.byRate;
  return {
    taxRate: others.length > 0 ? '' : (first?.rate ?? taxRate),
    taxes: writeTaxes(totals.byRate, currency),
    subTotal: formatAmount(totals.subTotalMinor, currency),
    tax: formatAmount(totals.taxMinor, currency),
    total: formatAmount(totals.totalMinor, currency),
    details: writeDetails(details, totals, currency),
  };
}

function readPeriod(body: Pick<CreateInvoiceBody, 'startAt' | 'endAt'>): { startAt: Date; endAt: Date } {
  const startAt = parseInstant(body.startAt);
  const endAt = parseInstant(body.endAt);
  if (startAt === null || endAt === null || endAt <= startAt) throw invalidField('endAt', 'must be after startAt');
  return { startAt, endAt };
}

function readCurrency(details: CreateInvoiceBody['details']): string {
  const currency = details[0]?.currency ?? '';
  const other = details.findIndex((line) => line.currency !== currency);
  if (other !== -1) throw invalidField(`details[${other}].currency`, 'must be the same in every line');
  return currency;
}

function readMetadata(metadata: object | null): string | null {
  const json = metadata === null ? null : JSON.stringify(metadata, refuseInexactNumbers);
  if (json !== null && Buffer.byteLength(json) > MAX_METADATA_BYTES)
    throw invalidField('metadata', 'must be at most 16 KiB of JSON');
  if (holdsCardNumberAnywhere(metadata)) throw invalidField('metadata', 'must not contain a card number');
  return json;
}

/**
 * Metadata is returned as sent, so numbers that parsing would change are refused: integers beyond 2^53, and Infinity.
 */
function refuseInexactNumbers(_key: string, value: unknown): unknown {
  const isInexact = typeof value === 'number' && (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER);
  if (isInexact) throw invalidField('metadata', 'must not contain a number beyond 9007199254740991: send it as text');
  return value;
}

function readTotals(details: readonly LineItem[], taxRate: string, currency: string): Totals {
  try {
    const totals = computeTotals(details, taxRate, currency);
    if (totals.totalMinor < 0n) throw new AmountError('details', 'must not add up to a negative total');
    return totals;
  } catch (error) {
    throw error instanceof AmountError ? invalidField(error.field, error.message) : error;
  }
}

/**
 * Writes the line items as every answer shows them: the rounded amount as a number that prints exactly, the count as
 * text.
 */
function writeDetails(
  details: readonly LineItem[],
  { lineAmountsMinor }: Totals,
  currency: string,
): Json<typeof Invoice.properties.details> {
  const lines = details.map((line, index) => {
    const amount = jsonNumber(fromMinor(lineAmountsMinor[index] ?? 0n, currency));
    const { title, path, totalRequest } = line;
    const fields = JSON.stringify({ title, path, totalRequest: BigInt(totalRequest).toString(), currency });
    const { kind, priceId, period, taxRate, itemId, unitAmount } = line;
    const computed = JSON.stringify({ kind, priceId, period, taxRate, itemId, unitAmount });
    return `${fields.slice(0, -1)},"amount":${amount}${kind === undefined ? '}' : `,${computed.slice(1)}`}`;
  });
  return `[${lines.join(',')}]` as Json<typeof Invoice.properties.details>;
}
