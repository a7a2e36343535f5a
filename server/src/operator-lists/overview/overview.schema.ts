import type { Static } from 'typebox';
import { timestamp } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

const currency = Type.String({ examples: ['USD'] });
const amount = (description: string) => Type.String({ description, examples: ['57.60'] });
const count = (description: string) => Type.Integer({ description, examples: [0] });

const Month = namedObject('OverviewMonth', {
  month: Type.String({ description: 'A calendar month, in UTC.', examples: ['2026-10'] }),
  currency,
  billed: amount('What was invoiced with tax, without what was credited or void in this month.'),
  collected: amount('What the gateways took.'),
  refunded: amount('What the gateways refunded.'),
});

const Open = namedObject('OverviewOpen', {
  currency,
  amount: amount('What is due of these invoices.'),
  invoices: Type.Integer({ description: 'How many they are.', examples: [3] }),
});

const Aging = namedObject('OverviewAging', {
  currency,
  days1To30: amount('Overdue for up to 30 days.'),
  days31To60: amount('Overdue for more than 30 and up to 60 days.'),
  days61To90: amount('Overdue for more than 60 and up to 90 days.'),
  over90: amount('Overdue for more than 90 days.'),
});

const Hold = namedObject('OverviewHold', {
  reason: Type.String({ examples: ['The service was started with CHARGES=held.'] }),
  since: timestamp(),
  by: Type.Enum(['configuration', 'database', 'process'], {
    description: 'Who holds charges: `CHARGES=held`, the database for all processes, or this process alone.',
    examples: ['database'],
  }),
});

const Setup = namedObject('OperatorSetup', {
  seller: Type.Boolean({ description: 'The seller has a name.', examples: [true] }),
  price: Type.Boolean({ description: 'There is a price.', examples: [true] }),
  company: Type.Boolean({ description: 'There is a company.', examples: [true] }),
  invoice: Type.Boolean({ description: 'An invoice was issued.', examples: [false] }),
});

export const OperatorOverview = namedObject('OperatorOverview', {
  months: Type.Array(Month, {
    description: 'This month and the eleven before it, the oldest first, of each currency that one of them has.',
  }),
  due: Type.Array(Open, { description: 'What is due on all open invoices, by currency.' }),
  overdue: Type.Array(Aging, { description: 'The part of it that is past its due date, by currency and age.' }),
  failed: Type.Array(Open, {
    description: 'The part of it whose latest payment failed (the status `Failed`), by currency.',
  }),
  reviews: count('Payments and refunds under review.'),
  disputes: count('Disputes that wait for an answer (`NeedsResponse`).'),
  alerts: count('Alerts that nobody has acknowledged.'),
  jobs: count('Background jobs that are late or failing.'),
  mails: count(
    'Mails of the last two years that could not be sent: those about money, and, for admins, those about accounts.',
  ),
  endpoints: count('Webhook endpoints that are failing.'),
  hold: Type.Union([Hold, Type.Null()], { description: 'Why charges are held; null while they are not.' }),
  setup: Setup,
});
export type OperatorOverview = Static<typeof OperatorOverview>;
