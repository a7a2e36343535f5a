import type { Static } from 'typebox';
import { timestamp } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const InvoiceLink = namedObject('InvoiceLink', {
  url: Type.String({
    description: 'The hosted page of the invoice. Whoever has this address can read the invoice and pay it.',
    examples: ['https://billing.example.com/pay/AZrVbQ…'],
  }),
  createdAt: timestamp(),
  expiresAt: timestamp('2026-12-15T00:00:00.000Z'),
});
export type InvoiceLink = Static<typeof InvoiceLink>;
