import type { Card } from '@paydesk/client';
import { typedDebit } from '../../../server/test/customers/card-setups.ts';
import type { Company } from './company.ts';

/** Saves a mandate for debits of an account, as the default. */
export async function saveMandate({ client, admin }: Company, iban: string): Promise<Card> {
  const { firstName, lastName } = admin;
  const address = await client.addresses.create({
    firstName,
    lastName,
    streetAddress: 'Unter den Linden 1',
    country: 'DE',
  });
  const { id: setupId, clientSecret = '' } = await client.cardSetups.create({ method: 'sepa_debit' });
  await client.sandbox.confirmSetup({ clientSecret, sepaDebit: typedDebit(iban), mandateAccepted: true });
  return client.cards.create({ addressId: address.id, isDefault: true, setupId });
}
