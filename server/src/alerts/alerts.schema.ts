import type { Static } from 'typebox';
import { companyIdsOrNull, companyIdText } from '../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../platform/http/schema/fields.ts';
import { namedObject } from '../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../platform/http/schema/pagination.ts';
import { Type } from '../platform/http/schema/type.ts';
import { text } from '../platform/http/schema/validation.ts';

const ALERT_KINDS = [
  'payment_mismatch',
  'payment_unresolved',
  'payment_captured_after_failure',
  'refund_mismatch',
  'refund_unresolved',
  'refund_refused',
  'gateway_unauthorized',
  'gateway_not_configured',
  'refunded_at_gateway',
  'refund_failed_at_gateway',
  'disputed_at_gateway',
  'dispute_mismatch',
  'card_testing_suspected',
  'charges_held',
  'recovery_review',
  'awaiting_release',
  'mail_given_up',
  'mail_without_recipient',
  'unattributed_usage',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The payment that an alert is about, and its invoice. */
export type AlertedPayment = { id: string; invoiceId: string };

/** `payment` is null when the alert is about no payment. `message` is for people and holds no card number. */
export type NewAlert = { kind: AlertKind; payment: AlertedPayment | null; message: string };

const ALERT_STATES = ['open', 'acknowledged'] as const;

const COMPANY_ID = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';

const nullableUuid = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description, examples: [COMPANY_ID] });

export const Alert = namedObject('Alert', {
  id: uuid(),
  ...companyIdsOrNull('The company that the alert is about. Null for an alert that is about no company.'),
  kind: Type.String({
    description: `The kind of alert: ${ALERT_KINDS.map((kind) => `\`${kind}\``).join(', ')}. Later versions may add kinds.`,
    examples: ['payment_unresolved'],
  }),
  paymentId: nullableUuid(
    'The payment that the alert is about. Null for an alert that is about no payment, such as one about cards that were ' +
      'refused while they were saved.',
  ),
  invoiceId: nullableUuid('The invoice that the alert is about. Null for an alert that is about no invoice.'),
  message: Type.String({
    description: 'What happened and what to check, for people.',
    examples: ['The outcome of this payment is still unknown after ten hours.'],
  }),
  acknowledgedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When a person acknowledged the alert. Null while it is open.',
    examples: [null],
  }),
  createdAt: timestamp(),
});

export const AlertQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(
    Type.Enum(ALERT_STATES, {
      description: 'Only alerts in this state. Without it, the list has open and acknowledged alerts.',
      examples: ['open'],
    }),
  ),
  kind: Type.Optional(
    text({ required: true, description: 'Only alerts of this kind.', examples: ['payment_unresolved'] }),
  ),
  companyId: Type.Optional(companyIdText({ description: 'Only alerts about this company.' })),
});
export type AlertQuery = Static<typeof AlertQuery>;

export const AlertList = pageOf('AlertList', Alert);
