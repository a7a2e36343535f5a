import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

const amount = (description: string) => Type.String({ description, examples: ['57.60'] });
const count = (description: string) => Type.Integer({ description, examples: [1] });
const quantity = (description: string) => Type.String({ description, examples: ['12000'] });

const Due = namedObject('OverviewDue', {
  currency: Type.String({ examples: ['USD'] }),
  amount: amount('What is due of all open invoices in this currency.'),
  invoices: count('How many of them there are.'),
  overdueAmount: amount('What of it is overdue.'),
  overdueInvoices: count('How many of these invoices are overdue.'),
  nextDueAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the next invoice is due that is not overdue yet; null without one.',
    examples: ['2026-10-01T00:00:00.000Z'],
  }),
});

/** A part that the caller may not see is null. */
const flag = (description: string) =>
  Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description, examples: [true] });

export const Overview = namedObject('Overview', {
  due: Type.Union([Type.Array(Due), Type.Null()], { description: 'What is due, by currency.' }),
  failed: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'How many open invoices have the status `Failed`: the latest payment failed.',
    examples: [0],
  }),
  usage: Type.Union(
    [
      namedObject('OverviewUsage', {
        thisMonth: quantity('The usage of all paths in this calendar month (UTC), until now.'),
        lastMonth: quantity('The usage of all paths in the calendar month before.'),
      }),
      Type.Null(),
    ],
    { description: 'The usage of this month and of the last one.' },
  ),
  setup: namedObject('OverviewSetup', {
    address: flag('Whether the company has saved an address.'),
    card: flag('Whether it has saved a card.'),
    billingInformation: flag('Whether its billing information has a country, and an organization or a last name.'),
    colleague: flag('Whether it has another member, or has invited somebody.'),
  }),
});
export type Overview = Static<typeof Overview>;
