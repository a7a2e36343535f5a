/**
 * Reads the books for the invariant checks as the owner of the database, so without row-level security, in one
 * snapshot.
 */

import type { LedgerRows } from '../../src/gateways/sandbox/bank/bank.queries.ts';
import type { Db } from '../../src/platform/database/database.ts';

/** A gateway's books. A positive dispute movement is money that was taken from the seller. */
export type GatewayLedger = LedgerRows;

export type InvoiceRecord = {
  companyId: string;
  id: string;
  status: string;
  totalMinor: bigint;
  /** The sum of the credit notes before the payment, and the sum of all credit notes as the invoice stores it. */
  creditedBeforeMinor: bigint;
  creditedMinor: bigint;
  /** The sum of the credit notes as they were issued. */
  creditNotesMinor: bigint;
  /** What part payments have paid, as the invoice stores it. */
  partPaidMinor: bigint;
  currency: string;
  paymentId: string | null;
  /** The debt's name, which outlives the database. */
  debt: string;
  isVoid: boolean;
};
export type PaymentRecord = {
  companyId: string;
  id: string;
  invoiceId: string;
  cardId: string | null;
  paypalAccountId: string | null;
  gateway: string;
  gatewayToken: string | null;
  gatewayPaymentId: string | null;
  amountMinor: bigint;
  creditMinor: bigint;
  currency: string;
  state: string;
  /** What was captured beyond what was due. */
  overpaidMinor: bigint;
  /** It paid a part of what was due. */
  isPart: boolean;
  /** The kinds of its alerts. */
  alerts: string[];
};
export type CardRecord = { companyId: string; id: string; gatewayToken: string; hasAddress: boolean };
export type AccountRecord = { companyId: string; id: string; gatewayToken: string };
/** One change of a row, recorded by the triggers of `recordTransitions`. `from` is null for a new row. */
export type Transition = { table: string; id: string; invoiceId: string; change: string; transaction: string };
export type CreditEntryRecord = {
  companyId: string;
  kind: string;
  amountMinor: bigint;
  currency: string;
  paymentId: string | null;
};
/** `creditMinor` is null for a company that never had credit. */
export type CompanyRecord = { id: string; creditMinor: bigint | null; creditCurrency: string | null };
export type Books = {
  companies: CompanyRecord[];
  credits: CreditEntryRecord[];
  invoices: InvoiceRecord[];
  payments: PaymentRecord[];
  cards: CardRecord[];
  accounts: AccountRecord[];
  transitions: Transition[];
};

/** Reads everything that the invariants are about, of every company. */
export async function readBooks(owner: Db): Promise<Books> {
  return owner.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (tx) => {
    const companies = await tx<CompanyRecord[]>`
      SELECT id, balance_minor::text AS "creditMinor", currency AS "creditCurrency"
      FROM companies LEFT JOIN credit_balances ON company_id = id`;
    const credits = await tx<CreditEntryRecord[]>`
      SELECT company_id AS "companyId", kind, amount_minor::text AS "amountMinor", currency, payment_id AS "paymentId"
      FROM credit_entries ORDER BY company_id, number`;
    const invoices = await tx<InvoiceRecord[]>`
      SELECT company_id AS "companyId", id, status, currency, payment_id AS "paymentId", debt_of(invoices) AS debt,
             voided_at IS NOT NULL AS "isVoid",
             (total * 10::numeric ^ minor_unit_digits)::bigint::text AS "totalMinor",
             (credited_total * 10::numeric ^ minor_unit_digits)::bigint::text AS "creditedMinor",
             (part_paid * 10::numeric ^ minor_unit_digits)::bigint::text AS "partPaidMinor",
             (coalesce(notes.total_of_all, 0) * 10::numeric ^ minor_unit_digits)::bigint::text AS "creditNotesMinor",
             (coalesce(notes.total_before, 0) * 10::numeric ^ minor_unit_digits)::bigint::text AS "creditedBeforeMinor"
      FROM invoices LEFT JOIN LATERAL (
        SELECT sum(total) AS total_of_all, sum(total) FILTER (WHERE NOT after_payment) AS total_before
        FROM credit_notes WHERE credit_notes.company_id = invoices.company_id AND invoice_id = invoices.id
      ) AS notes ON true`;
    const payments = await tx<(Omit<PaymentRecord, 'alerts'> & { alerts: string })[]>`
      SELECT company_id AS "companyId", id, invoice_id AS "invoiceId", card_id AS "cardId",
             paypal_account_id AS "paypalAccountId", gateway, gateway_token AS "gatewayToken",
             gateway_payment_id AS "gatewayPaymentId", amount_minor::text AS "amountMinor",
             credit_minor::text AS "creditMinor", currency, state, overpaid_minor::text AS "overpaidMinor", is_part AS "isPart",
             (SELECT coalesce(string_agg(kind, ' '), '') FROM alerts WHERE alerts.payment_id = payments.id) AS alerts
      FROM payments`;
    const cards = await tx<CardRecord[]>`
      SELECT company_id AS "companyId", id, gateway_token AS "gatewayToken",
             EXISTS (SELECT 1 FROM addresses WHERE addresses.id = address_id AND addresses.company_id = cards.company_id) AS "hasAddress"
      FROM cards`;
    const accounts = await tx<AccountRecord[]>`
      SELECT company_id AS "companyId", id, gateway_token AS "gatewayToken" FROM paypal_accounts`;
    const [recorded] = await tx<[{ exists: boolean }]>`SELECT to_regclass('transitions') IS NOT NULL AS exists`;
    const transitions = recorded.exists
      ? await tx<
          Transition[]
        >`SELECT "table", id, invoice_id AS "invoiceId", change, transaction FROM transitions ORDER BY number`
      : [];
    return {
      companies: companies.map((company) => ({
        ...company,
        creditMinor: company.creditMinor === null ? null : BigInt(company.creditMinor),
      })),
      credits: credits.map((entry) => ({ ...entry, amountMinor: BigInt(entry.amountMinor) })),
      invoices: invoices.map((invoice) => ({
        ...invoice,
        totalMinor: BigInt(invoice.totalMinor),
        creditedBeforeMinor: BigInt(invoice.creditedBeforeMinor),
        creditedMinor: BigInt(invoice.creditedMinor),
        partPaidMinor: BigInt(invoice.partPaidMinor),
        creditNotesMinor: BigInt(invoice.creditNotesMinor),
      })),
      payments: payments.map((payment) => ({
        ...payment,
        amountMinor: BigInt(payment.amountMinor),
        creditMinor: BigInt(payment.creditMinor),
        overpaidMinor: BigInt(payment.overpaidMinor),
        alerts: payment.alerts.split(' '),
      })),
      cards: [...cards],
      accounts: [...accounts],
      transitions: [...transitions],
    };
  });
}

/**
 * Reads which of the gateway's objects a recovery has left to a person, without a payment: those that still wait, and those that are booked
 * to no company and refunded.
 */
export async function readLeftToPerson(owner: Db): Promise<{ waiting: Set<string>; unallocated: Set<string> }> {
  const unallocated = await owner<
    { id: string }[]
  >`SELECT gateway_payment_id AS id FROM unallocated_captures WHERE allocated_at IS NULL`;
  const waiting = await owner<{ id: string }[]>`
    SELECT object_id AS id FROM recovery_cases
    WHERE source = 'gateway' AND kind = 'payment' AND state = 'person'
      AND NOT EXISTS (SELECT FROM payments WHERE payments.gateway = recovery_cases.gateway AND gateway_payment_id = object_id)`;
  const booked = new Set(unallocated.map(({ id }) => id));
  return { waiting: new Set(waiting.map(({ id }) => id)).difference(booked), unallocated: booked };
}

/**
 * Adds triggers that record every change of state of invoices and payments, and every change of what must not change, so that I6 and I7 can
 * be checked afterwards. Only for a test's own database.
 */
export async function recordTransitions(owner: Db): Promise<void> {
  await owner
    .unsafe(`
    CREATE TABLE transitions (
      number bigint GENERATED ALWAYS AS IDENTITY, "table" text, id uuid, invoice_id uuid, change text,
      transaction text DEFAULT pg_current_xact_id()::text
    );
    CREATE FUNCTION record_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF TG_OP = 'INSERT' OR OLD.state <> NEW.state THEN
        INSERT INTO transitions ("table", id, invoice_id, change) VALUES ('payments', NEW.id, NEW.invoice_id,
          CASE TG_OP WHEN 'INSERT' THEN '' ELSE OLD.state || ' ' END || '→ ' || NEW.state);
      END IF;
      -- A person may accept a capture of less than was due: the payment has that amount from then on.
      IF TG_OP = 'UPDATE' AND NOT NEW.is_part AND (
        (OLD.invoice_id, OLD.card_id, OLD.paypal_account_id, OLD.gateway, OLD.gateway_token, OLD.amount_minor, OLD.credit_minor,
         OLD.currency)
          IS DISTINCT FROM (NEW.invoice_id, NEW.card_id, NEW.paypal_account_id, NEW.gateway, NEW.gateway_token, NEW.amount_minor,
               NEW.credit_minor, NEW.currency)
      ) THEN
        INSERT INTO transitions ("table", id, invoice_id, change) VALUES ('payments', NEW.id, NEW.invoice_id, 'edited');
      END IF;
      IF TG_OP = 'UPDATE' AND OLD.gateway_payment_id <> coalesce(NEW.gateway_payment_id, '') THEN
        INSERT INTO transitions ("table", id, invoice_id, change) VALUES ('payments', NEW.id, NEW.invoice_id, 'other object');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_payment AFTER INSERT OR UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION record_payment();
    CREATE FUNCTION record_invoice() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF OLD.status <> NEW.status OR OLD.payment_id IS DISTINCT FROM NEW.payment_id THEN
        INSERT INTO transitions ("table", id, invoice_id, change)
        VALUES ('invoices', NEW.id, NEW.id, OLD.status || ' → ' || NEW.status);
      END IF;
      IF (OLD.currency, OLD.sub_total, OLD.tax, OLD.total, OLD.details::text, OLD.method, OLD.start_at, OLD.end_at)
           IS DISTINCT FROM (NEW.currency, NEW.sub_total, NEW.tax, NEW.total, NEW.details::text, NEW.method, NEW.start_at, NEW.end_at)
      THEN
        INSERT INTO transitions ("table", id, invoice_id, change) VALUES ('invoices', NEW.id, NEW.id, 'edited');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_invoice AFTER UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION record_invoice();
  `)
    .simple();
}
