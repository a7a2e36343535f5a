import { randomUUID } from 'node:crypto';
import { begin, type Client, tell } from './client.ts';

/*
 * What a company does with its account.
 */

export type Setting = { client: Client; operatorKey: string };
/** An admin, signed in. */
export type Admin = { token: string; companyId: string; email: string };
export type SavedCard = { cardId: string; addressId: string };
type Identified = { id: string };
type Card = Identified & { isDefault: boolean; info: { brand: string; cardNumber: string } };
type Label = Identified & { name: string; color: string; updatedBy: string };
type LabelList = { total: number; data: Label[] };

const GOOD_CARD = '4242 4242 4242 4242';

/** An admin signs up with an e-mail that nobody has, so that the demo can run any number of times. */
export async function signUp({ client }: Setting): Promise<Admin> {
  begin('Ada signs up, and gets a company of her own');
  type SignedUp = {
    data: { access_token: string; user: { state: string; role: { name: string }; company: Identified } };
  };
  const email = `ada.${randomUUID().slice(-12)}@example.com`;
  const { body } = await client.call<SignedUp>('POST', '/auth/signup/admin', 201, {
    body: { first_name: 'Ada', last_name: 'Lovelace', email, password: 'Correct-horse-7' },
  });
  const { access_token: token, user } = body.data;
  tell(`${email} is ${user.role.name} of company ${user.company.id}; state ${user.state}`);
  return { token, companyId: user.company.id, email };
}

/** @returns the ids of an address and of a card that pays */
export async function saveAddressAndCard(setting: Setting, admin: Admin): Promise<SavedCard> {
  const { client } = setting;
  const { token: credential } = admin;
  begin('She saves an address, and a card that belongs to it');
  const { body: address } = await client.call<Identified>('POST', '/payments/addresses', 201, {
    credential,
    body: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      streetAddress: '12 St James Square',
      zipCode: 'SW1Y 4JH',
      country: 'GB',
    },
  });
  tell(`address ${address.id}`);
  const card = await saveCard(setting, admin, address.id, GOOD_CARD);
  type Listed = Card & { address: { streetAddress: string } };
  const { body: cards } = await client.call<Listed[]>('GET', '/payments/cards', 200, { credential });
  tell(`the list shows it with its address: ${cards[0]?.address.streetAddress}`);
  return { cardId: card.id, addressId: address.id };
}

/** Saves a card as the default one. */
export async function saveCard(
  { client }: Setting,
  { token: credential }: Admin,
  addressId: string,
  cardNumber: string,
): Promise<Identified> {
  const expYear = new Date().getUTCFullYear() + 3;
  const info = { cardName: 'Ada Lovelace', cardNumber, expMonth: 12, expYear, cvv: '123', country: 'GB' };
  const body = { addressId, isDefault: true, info };
  const { body: card } = await client.call<Card>('POST', '/payments/cards', 201, { credential, body });
  tell(`${card.info.brand} ${card.info.cardNumber}, default: ${card.isDefault}; the number itself is kept nowhere`);
  return card;
}

/** Makes a card the default again. */
export async function chooseCard(
  { client }: Setting,
  { token: credential }: Admin,
  { cardId }: SavedCard,
): Promise<void> {
  const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 3 };
  const body = { isDefault: true, info };
  const { body: card } = await client.call<Card>('PUT', `/payments/cards/${cardId}`, 200, { credential, body });
  tell(`${card.info.cardNumber}, default: ${card.isDefault}`);
}

/** The one billing-information record: only what is sent changes. */
export async function fillBillingInformation({ client }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She fills in to whom the invoices are made out');
  const body = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    organization: 'Analytical Engines GmbH',
    address: 'Köpenicker Straße 12',
    zipCode: '10115',
    city: 'Berlin',
    country: 'DE',
    taxId: 'DE123456789',
  };
  const { body: filled } = await client.call<Record<string, unknown>>('PUT', '/payments/billing-information', 200, {
    credential,
    body,
  });
  tell(
    `${filled.organization}, ${filled.zipCode} ${filled.city} (postalCode ${filled.postalCode}), pays by ${filled.paymentMethod}`,
  );
}

/** Labels: create, search, change, delete. */
export async function manageLabels({ client }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She creates two labels, finds one, changes it, and deletes both');
  const labels: Label[] = [];
  for (const [name, color] of [
    ['Priority', '#ff8800'],
    ['Refunds', '#0b6e56'],
  ]) {
    const body = { name, color, description: `Tickets: ${name}`, userName: 'Ada Lovelace' };
    labels.push((await client.call<Label>('POST', '/labels', 201, { credential, body })).body);
  }
  const { body: found } = await client.call<LabelList>('GET', '/labels?name=prior', 200, { credential });
  tell(`"prior" finds ${found.total}: ${found.data[0]?.name} ${found.data[0]?.color}`);
  const body = { color: '#b3261e', userName: 'Grace Hopper' };
  const { body: changed } = await client.call<Label>('PUT', `/labels/${found.data[0]?.id}`, 200, { credential, body });
  tell(`${changed.name} is ${changed.color} now, by ${changed.updatedBy}`);
  await client.call('DELETE', '/labels', 204, { credential, body: { label_ids: labels.map(({ id }) => id) } });
  const { body: left } = await client.call<LabelList>('GET', '/labels', 200, { credential });
  tell(`${left.total} labels are left`);
}

/** Logs out; the token opens nothing from then on. */
export async function logOut({ client }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She logs out, and her token opens nothing any more');
  await client.call('POST', '/auth/logout', 204, { credential });
  const { body } = await client.call<{ error: { code: string } }>('GET', '/payments/cards', 401, { credential });
  tell(body.error.code);
}
