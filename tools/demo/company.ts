import { randomUUID } from 'node:crypto';
import { isPaydeskError, type Paydesk, type PaydeskOptions } from '../../packages/client/src/index.ts';
import { printDetail, printStep } from './output.ts';

/* What a company does with its account. */

export type Setting = {
  operator: Paydesk['operator'];
  /** Prints no requests; for polling. */
  quietOperator: Paydesk['operator'];
  /** Creates a client, with the tokens of somebody who has logged in or the key of a program, or without. */
  connect: (credentials?: Pick<PaydeskOptions, 'accessToken' | 'refreshToken'>) => Paydesk;
};
/** A signed-in admin. */
export type Admin = { paydesk: Paydesk; refreshToken: string; companyId: string; email: string };
export type SavedCard = { cardId: string; addressId: string };

const GOOD_CARD = '4242 4242 4242 4242';

/** Signs up an admin with a new e-mail, so that the demo can run any number of times. */
export async function signUp({ connect }: Setting): Promise<Admin> {
  printStep('Ada signs up, and gets a company of her own');
  const email = `ada.${randomUUID().slice(-12)}@example.com`;
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const { data } = await connect().auth.signUpAdmin({ ...name, email, password: 'Correct-horse-7' });
  const { access_token: accessToken, refresh_token: refreshToken = '', user } = data;
  printDetail(`${email} is ${user.role.name} of company ${user.company.id}; state ${user.state}`);
  return { paydesk: connect({ accessToken }), refreshToken, companyId: user.company.id, email };
}

/** Saves an address and a card that pays. @returns their ids */
export async function saveAddressAndCard(admin: Admin): Promise<SavedCard> {
  const { paydesk } = admin;
  printStep('She saves an address, and a card that belongs to it');
  const address = await paydesk.addresses.create({
    firstName: 'Ada',
    lastName: 'Lovelace',
    streetAddress: '12 St James Square',
    zipCode: 'SW1Y 4JH',
    country: 'GB',
  });
  printDetail(`address ${address.id}`);
  const card = await saveCard(admin, address.id, GOOD_CARD);
  const cards = await paydesk.cards.list();
  printDetail(`the list shows it with its address: ${cards[0]?.address.streetAddress}`);
  return { cardId: card.id, addressId: address.id };
}

/** Saves a card as the default one. */
export async function saveCard({ paydesk }: Admin, addressId: string, cardNumber: string): Promise<{ id: string }> {
  const expYear = new Date().getUTCFullYear() + 3;
  const info = { cardName: 'Ada Lovelace', cardNumber, expMonth: 12, expYear, cvv: '123', country: 'GB' };
  const card = await paydesk.cards.create({ addressId, isDefault: true, info });
  printDetail(
    `${card.info.brand} ${card.info.cardNumber}, default: ${card.isDefault}; the number itself is kept nowhere`,
  );
  return card;
}

/** Saves a card that was typed into the gateway's own fields, for which the sandbox stands here, and whose bank asks its holder. */
export async function setUpCard({ paydesk }: Admin, addressId: string, number: string): Promise<void> {
  const { id: setupId, clientSecret } = await paydesk.cardSetups.create({});
  const expYear = new Date().getUTCFullYear() + 3;
  const card = { number, expMonth: 12, expYear, cvv: '123', name: 'Ada Lovelace', country: 'GB' };
  const { status } = await paydesk.sandbox.confirmSetup({ clientSecret, card });
  printDetail(`${status}: the bank asks her, and she agrees`);
  await paydesk.sandbox.answerChallenge({ clientSecret, outcome: 'succeed' });
  const saved = await paydesk.cards.create({ addressId, isDefault: true, setupId });
  printDetail(`${saved.info.brand} ${saved.info.cardNumber}: of the number, Paydesk has seen the end alone`);
}

/** Makes a card the default again. */
export async function chooseCard({ paydesk }: Admin, { cardId }: SavedCard): Promise<void> {
  const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 3 };
  const card = await paydesk.cards.update(cardId, { isDefault: true, info });
  printDetail(`${card.info.cardNumber}, default: ${card.isDefault}`);
}

/** Fills in the company's billing information. Only the sent fields change. */
export async function fillBillingInformation({ paydesk }: Admin): Promise<void> {
  printStep('She fills in to whom the invoices are made out');
  const filled = await paydesk.billingInformation.update({
    firstName: 'Ada',
    lastName: 'Lovelace',
    organization: 'Analytical Engines GmbH',
    address: 'Köpenicker Straße 12',
    zipCode: '10115',
    city: 'Berlin',
    country: 'DE',
    taxId: 'DE123456789',
  });
  printDetail(
    `${filled.organization}, ${filled.zipCode} ${filled.city} (postalCode ${filled.postalCode}), pays by ${filled.paymentMethod}`,
  );
}

/** Creates, finds, changes and deletes labels. */
export async function manageLabels({ paydesk }: Admin): Promise<void> {
  printStep('She creates two labels, finds one, changes it, and deletes both');
  const ids: string[] = [];
  for (const [name, color] of [
    ['Priority', '#ff8800'],
    ['Refunds', '#0b6e56'],
  ] as const) {
    const label = await paydesk.labels.create({
      name,
      color,
      description: `Tickets: ${name}`,
      userName: 'Ada Lovelace',
    });
    ids.push(label.id);
  }
  const { total, data } = await paydesk.labels.list({ name: 'prior' });
  printDetail(`"prior" finds ${total}: ${data[0]?.name} ${data[0]?.color}`);
  const changed = await paydesk.labels.update(data[0]?.id ?? '', { color: '#b3261e', userName: 'Grace Hopper' });
  printDetail(`${changed.name} is ${changed.color} now, by ${changed.updatedBy}`);
  await paydesk.labels.delete({ label_ids: ids });
  const left = await paydesk.labels.list();
  printDetail(`${left.total} labels are left`);
}

/** Logs out. The token is not accepted from then on. */
export async function logOut({ paydesk }: Admin): Promise<void> {
  printStep('She logs out, and her token opens nothing any more');
  await paydesk.auth.logOut();
  const error = await paydesk.cards.list().catch((reason: unknown) => reason);
  if (!isPaydeskError(error, 'unauthenticated')) throw error;
  printDetail(error.code);
}
