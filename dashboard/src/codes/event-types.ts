import type { Event } from '@paydesk/client';

type EventType = Event['type'];

/** Who gets the events of each type: `company` is the company that an event is about, and the operator. */
const AUDIENCES: Record<EventType, 'company' | 'operator'> = {
  'invoice.created': 'company',
  'invoice.succeeded': 'company',
  'invoice.failed': 'company',
  'invoice.voided': 'company',
  'payment.started': 'company',
  'payment.captured': 'company',
  'payment.failed': 'company',
  'payment.needs_review': 'company',
  'payment.requires_action': 'company',
  'refund.created': 'company',
  'refund.succeeded': 'company',
  'refund.failed': 'company',
  'refund.needs_review': 'company',
  'credit_note.created': 'company',
  'dispute.created': 'company',
  'dispute.updated': 'company',
  'dispute.closed': 'company',
  'item.created': 'company',
  'usage.threshold_reached': 'company',
  'card.created': 'company',
  'card.updated': 'company',
  'card.deleted': 'company',
  'paypal_account.created': 'company',
  'paypal_account.updated': 'company',
  'paypal_account.deleted': 'company',
  'address.created': 'company',
  'address.updated': 'company',
  'address.deleted': 'company',
  'billing_information.updated': 'company',
  'company.created': 'company',
  'company.updated': 'company',
  'user.created': 'company',
  'label.created': 'company',
  'label.updated': 'company',
  'label.deleted': 'company',
  'label.assigned': 'company',
  'label.unassigned': 'company',
  'webhook.ping': 'company',
  'alert.created': 'operator',
  'charges.held': 'operator',
  'charges.released': 'operator',
};

/** All types of events, those of money first. */
export const EVENT_TYPES = Object.keys(AUDIENCES) as EventType[];

/** The name of a group of types, such as `invoice`. */
export type EventGroup = EventType extends `${infer Group}.${string}` ? Group : never;

/** The types of events that an endpoint can choose, by group. A ping is not among them: it is sent on request only. */
export function choosableTypes(owner: 'company' | 'operator'): [EventGroup, EventType[]][] {
  const types = EVENT_TYPES.filter(
    (type) => type !== 'webhook.ping' && (owner === 'operator' || AUDIENCES[type] === 'company'),
  );
  return Object.entries(Object.groupBy(types, (type) => type.split('.', 1)[0] as EventGroup)) as [
    EventGroup,
    EventType[],
  ][];
}
