import type { Card, Invoice, Paydesk } from '@paydesk/client';
import type { Company } from './company.ts';

/** Issues an invoice of 57.60 for October, due in two weeks by default, so that the collection charges nothing while a story is told. */
export async function issueInvoice(
  operator: Paydesk['operator'],
  company: Company,
  amount = '48.00',
  currency = 'USD',
  netDays = 14,
): Promise<Invoice> {
  await operator.companies.billingSettings.update(company.id, { netDays });
  return operator.invoices.create({
    companyId: company.id,
    startAt: '2026-10-01T00:00:00Z',
    endAt: '2026-11-01T00:00:00Z',
    taxRate: '20',
    details: [{ title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency, amount }],
  });
}

/** Saves a card of the published test numbers, as the default. */
export async function saveCard({ client }: Company, cardNumber = '4242 4242 4242 4242'): Promise<Card> {
  const address = await client.addresses.create({
    firstName: 'Ada',
    lastName: 'Lovelace',
    streetAddress: '12 St James Square',
    zipCode: 'SW1Y 4JH',
    state: 'London',
    country: 'GB',
  });
  return client.cards.create({
    addressId: address.id,
    isDefault: true,
    info: { cardName: 'Ada Lovelace', cardNumber, expMonth: 12, expYear: 2040, cvv: '123', country: 'GB' },
  });
}
