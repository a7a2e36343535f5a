import { constantPart, emptyPart, type Part, type Queryable } from '../../platform/database/database.ts';
import type { PaymentReader } from './payment.ts';

/** `more`: further names and values in the JSON of a payment. */
type Shown = { more?: Part; reader?: PaymentReader };

/** The latest payment of the row of `invoices` that pays any of it, or was to, as JSON; null if there is none. */
export function latestPayment(db: Queryable, shown: Shown = {}) {
  return db`(
    SELECT ${paymentJson(db, shown)}
    FROM payments
    ${joinPaymentSources(db)}
    WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id AND NOT ${isCreditAlone(db)}
    ORDER BY payments.created_at DESC, payments.id DESC
    LIMIT 1
  )`;
}

/** This payment of the row of `invoices`, as JSON. */
export function onePayment(db: Queryable, id: string) {
  return db`(
    SELECT ${paymentJson(db, {})}
    FROM payments
    ${joinPaymentSources(db)}
    WHERE payments.company_id = invoices.company_id AND payments.id = ${id}
  )`;
}

/** All payments of the row of `invoices`, as a JSON array, the oldest first. */
export function allPayments(db: Queryable, shown: Shown = {}) {
  return db`(
    SELECT coalesce(json_agg(${paymentJson(db, shown)} ORDER BY payments.created_at, payments.id), '[]')
    FROM payments
    ${joinPaymentSources(db)}
    WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id
  )`;
}

/** Joins the card or the account of the row of `payments`. */
export const joinPaymentSources = constantPart(
  (db) => db`
    LEFT JOIN cards ON cards.company_id = payments.company_id AND cards.id = payments.card_id
    LEFT JOIN paypal_accounts ON paypal_accounts.company_id = payments.company_id AND paypal_accounts.id = payments.paypal_account_id`,
);

/** The JSON of a row of `payments`, with its `cards`, `paypal_accounts` and `invoices`. */
function paymentJson(db: Queryable, { more, reader = 'others' }: Shown) {
  const others = more === undefined ? emptyPart(db) : db`, ${more}`;
  return db`json_build_object(${paymentFields(db)}, 'nextAction', ${NEXT_ACTIONS[reader](db)} ${others})`;
}

/** What confirms the row of `payments`, as JSON; null unless it waits for its customer. */
const NEXT_ACTIONS = {
  company: constantPart(
    (db) => db`CASE WHEN payments.state = 'requires_action' THEN json_build_object(
      'gateway', payments.gateway, 'clientSecret', payments.action ->> 'clientSecret',
      'publishableKey', payments.action ->> 'publishableKey', 'url', payments.action ->> 'url',
      'expiresAt', iso_instant(payments.expires_at)
    ) END`,
  ),
  others: constantPart(
    (db) => db`CASE WHEN payments.state = 'requires_action' THEN json_build_object(
      'url', payments.action ->> 'url', 'expiresAt', iso_instant(payments.expires_at)
    ) END`,
  ),
} satisfies Record<PaymentReader, unknown>;

/** The same for whoever is not the company. */
export const nextActionForOthers = NEXT_ACTIONS.others;

/** Whether all that the row of `payments` captured became credit: a second capture of a debt, which pays nothing of the invoice. */
const isCreditAlone = constantPart((db) => db`(payments.is_part AND payments.overpaid_minor > 0)`);

/** What the row of `payments` shows as its amount, in minor units. */
export const paymentAmount = constantPart(
  (db) => db`(CASE WHEN ${isCreditAlone(db)} THEN payments.overpaid_minor ELSE payments.amount_minor END)`,
);

/**
 * The names and values that every answer shows of a row of `payments`, but for `nextAction`, with its `cards`, `paypal_accounts` and
 * `invoices`.
 */
export const paymentFields = constantPart(
  (db) => db`
    'id', payments.id, 'invoiceId', payments.invoice_id, 'cardId', payments.card_id, 'method', payments.method,
    'gateway', payments.gateway, 'amount', money_text(${paymentAmount(db)} / 10::numeric ^ invoices.minor_unit_digits,
    invoices.minor_unit_digits), 'creditAmount', money_text(payments.credit_minor / 10::numeric ^ invoices.minor_unit_digits,
    invoices.minor_unit_digits), 'currency', payments.currency,
    'status', CASE payments.state
      WHEN 'captured' THEN 'Succeeded' WHEN 'failed' THEN 'Failed' WHEN 'needs_review' THEN 'NeedsReview'
      WHEN 'requires_action' THEN 'RequiresAction' ELSE 'Processing'
    END,
    'failureReason', payments.failure_reason, 'declineCode', payments.decline_code,
    'initiator', CASE WHEN payments.collection_attempt IS NULL THEN 'manual' ELSE 'automatic' END,
    'card', CASE WHEN cards.id IS NOT NULL THEN json_build_object(
      'brand', cards.brand, 'cardNumber', mask_card_number(cards.first_four, cards.last_four, cards.number_length)
    ) END,
    'paypalAccount', CASE WHEN paypal_accounts.id IS NOT NULL THEN json_build_object(
      'id', paypal_accounts.id, 'email', paypal_accounts.email
    ) END,
    'createdAt', iso_instant(payments.created_at), 'updatedAt', iso_instant(payments.updated_at)`,
);

/** What the row of `invoices` took of the company's credit, once this payment has paid all or the rest of it, in minor units. */
export function creditOfInvoice(db: Queryable, paymentId: string): Part {
  return db`CASE invoices.part_paid
    WHEN 0 THEN (SELECT payments.credit_minor FROM payments WHERE payments.company_id = invoices.company_id AND payments.id = ${paymentId})
    ELSE (
      SELECT sum(payments.credit_minor) FROM payments
      WHERE payments.company_id = invoices.company_id AND payments.invoice_id = invoices.id AND payments.state = 'captured'
    )
  END`;
}

/** SQL for the invoice that a payment was made for; null for no payment. */
export function invoiceOfPayment(db: Queryable, companyId: Part, paymentId: Part): Part {
  return db`(SELECT payments.invoice_id FROM payments WHERE payments.company_id = ${companyId} AND payments.id = ${paymentId})`;
}
