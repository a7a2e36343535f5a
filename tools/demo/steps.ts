import { randomUUID } from 'node:crypto';
import { begin, type Client, tell } from './client.ts';

export type Setting = { call: Client; operatorKey: string };
/** An admin, signed in. */
type Admin = { token: string; companyId: string; email: string };
type Identified = { id: string };
type Card = Identified & { isDefault: boolean; info: { brand: string; cardNumber: string } };
type SavedCard = { cardId: string; addressId: string };
type Payment = { amount: string; currency: string; status: string; card: { brand: string; cardNumber: string } };
type Invoice = Identified & {
  number: string;
  status: string;
  total: string;
  currency: string;
  paymentId: string | null;
};
type InvoiceList = { total: number; data: (Invoice & { payment: Payment | null })[] };
type Label = Identified & { name: string; color: string; updatedBy: string };
type LabelList = { total: number; data: Label[] };
type Refusal = { error: { code: string; declineCode?: string; message: string } };

/** An admin signs up with an e-mail that nobody has, so that the demo can run any number of times. */
export async function signUp({ call }: Setting): Promise<Admin> {
  begin('Ada signs up, and gets a company of her own');
  type SignedUp = {
    data: { access_token: string; user: { state: string; role: { name: string }; company: Identified } };
  };
  const email = `ada.${randomUUID().slice(-12)}@example.com`;
  const { body } = await call<SignedUp>('POST', '/auth/signup/admin', 201, {
    body: { first_name: 'Ada', last_name: 'Lovelace', email, password: 'Correct-horse-7' },
  });
  const { access_token: token, user } = body.data;
  tell(`${email} is ${user.role.name} of company ${user.company.id}; state ${user.state}`);
  return { token, companyId: user.company.id, email };
}

/** @returns the ids of an address and of a card that pays */
export async function saveAddressAndCard({ call }: Setting, { token: credential }: Admin): Promise<SavedCard> {
  begin('She saves an address, and a card that belongs to it');
  const { body: address } = await call<Identified>('POST', '/payments/addresses', 201, {
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
  const card = await saveCard(call, credential, address.id, '4242 4242 4242 4242');
  const { body: cards } = await call<(Card & { address: { streetAddress: string } })[]>('GET', '/payments/cards', 200, {
    credential,
  });
  tell(`the list shows it with its address: ${cards[0]?.address.streetAddress}`);
  return { cardId: card.id, addressId: address.id };
}

async function saveCard(call: Client, credential: string, addressId: string, cardNumber: string): Promise<Card> {
  const expYear = new Date().getUTCFullYear() + 3;
  const info = { cardName: 'Ada Lovelace', cardNumber, expMonth: 12, expYear, cvv: '123', country: 'GB' };
  const body = { addressId, isDefault: true, info };
  const { body: card } = await call<Card>('POST', '/payments/cards', 201, { credential, body });
  tell(`${card.info.brand} ${card.info.cardNumber}, default: ${card.isDefault}; the number itself is kept nowhere`);
  return card;
}

/** The one billing-information record: only what is sent changes. */
export async function fillBillingInformation({ call }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She fills in to whom the invoices are made out');
  const body = { organization: 'Analytical Engines Ltd', city: 'London', zipCode: '10115', taxId: 'GB123456789' };
  const { body: filled } = await call<Record<string, unknown>>('PUT', '/payments/billing-information', 200, {
    credential,
    body,
  });
  tell(
    `${filled.organization}, ${filled.city} ${filled.zipCode} (postalCode ${filled.postalCode}), pays by ${filled.paymentMethod}`,
  );
}

/** The operator bills a month of usage. @returns the new invoice */
export async function issueInvoice({ call, operatorKey }: Setting, { companyId, email }: Admin): Promise<Invoice> {
  begin('The operator finds the company, and bills it for the usage of a month');
  const credential = operatorKey;
  const { body: found } = await call<{ total: number; data: Identified[] }>(
    'GET',
    `/operator/companies?email=${encodeURIComponent(email)}`,
    200,
    { credential },
  );
  tell(`${found.total} company: ${found.data[0]?.id}`);
  return bill(call, credential, companyId);
}

async function bill(call: Client, credential: string, companyId: string): Promise<Invoice> {
  const now = new Date();
  const monthStart = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
  const details = [
    { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD', amount: '48.00' },
    { title: 'Storage', path: '/v1/files', totalRequest: 310, currency: 'USD', amount: '0.755' },
  ];
  const body = { companyId, startAt: monthStart(-1), endAt: monthStart(0), taxRate: '20', details };
  const { body: invoice } = await call<Invoice>('POST', '/operator/invoices', 201, { credential, body });
  tell(`${invoice.number} over ${invoice.total} ${invoice.currency}, ${invoice.status}`);
  return invoice;
}

/** Pays twice, which charges once. */
export async function pay({ call }: Setting, { token: credential }: Admin, { id }: Invoice): Promise<void> {
  begin('She pays it, and pays it again: nothing is charged twice');
  for (const _attempt of ['first', 'second']) {
    const { body } = await call<Invoice>('PUT', `/payments/orders/${id}/pay`, 200, { credential });
    tell(`${body.status}, payment ${body.paymentId}`);
  }
}

/** Lists the invoices that are paid. */
export async function listInvoices({ call }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She lists the invoices that are paid');
  const { body } = await call<InvoiceList>('GET', '/payments/orders?status=succeeded&perPage=5', 200, { credential });
  for (const { number, status, payment } of body.data)
    tell(
      `${number} ${status}: ${payment?.amount} ${payment?.currency} from ${payment?.card.brand} ${payment?.card.cardNumber}`,
    );
}

/** A card that the bank refuses: the invoice fails, and recovers with another card. */
export async function recoverFromDecline(setting: Setting, admin: Admin, saved: SavedCard): Promise<void> {
  const { call, operatorKey } = setting;
  const { token: credential, companyId } = admin;
  begin('The next invoice meets a card without funds');
  await saveCard(call, credential, saved.addressId, '4000 0000 0000 9995');
  const { id } = await bill(call, operatorKey, companyId);
  const { body: refused } = await call<Refusal>('PUT', `/payments/orders/${id}/pay`, 402, { credential });
  tell(`${refused.error.code}: ${refused.error.declineCode}`);
  const { body: failed } = await call<InvoiceList>('GET', `/payments/orders?receipt=${id}`, 200, { credential });
  tell(`${failed.data[0]?.number} is ${failed.data[0]?.status}`);

  begin('She makes the good card the default again, and the invoice recovers');
  const info = { expMonth: 12, expYear: new Date().getUTCFullYear() + 3 };
  const body = { isDefault: true, info };
  const { body: card } = await call<Card>('PUT', `/payments/cards/${saved.cardId}`, 200, { credential, body });
  tell(`${card.info.cardNumber}, default: ${card.isDefault}`);
  const { body: paid } = await call<Invoice>('PUT', `/payments/orders/${id}/pay`, 200, { credential });
  tell(`${paid.number} is ${paid.status}`);
}

/** Labels: create, search, change, delete. */
export async function manageLabels({ call }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She creates two labels, finds one, changes it, and deletes both');
  const labels: Label[] = [];
  for (const [name, color] of [
    ['Priority', '#ff8800'],
    ['Refunds', '#0b6e56'],
  ]) {
    const body = { name, color, description: `Tickets: ${name}`, userName: 'Ada Lovelace' };
    labels.push((await call<Label>('POST', '/labels', 201, { credential, body })).body);
  }
  const { body: found } = await call<LabelList>('GET', '/labels?name=prior', 200, { credential });
  tell(`"prior" finds ${found.total}: ${found.data[0]?.name} ${found.data[0]?.color}`);
  const body = { color: '#b3261e', userName: 'Grace Hopper' };
  const { body: changed } = await call<Label>('PUT', `/labels/${found.data[0]?.id}`, 200, { credential, body });
  tell(`${changed.name} is ${changed.color} now, by ${changed.updatedBy}`);
  await call('DELETE', '/labels', 204, { credential, body: { label_ids: labels.map(({ id }) => id) } });
  const { body: left } = await call<LabelList>('GET', '/labels', 200, { credential });
  tell(`${left.total} labels are left`);
}

/** Logs out; the token opens nothing from then on. */
export async function logOut({ call }: Setting, { token: credential }: Admin): Promise<void> {
  begin('She logs out, and her token opens nothing any more');
  await call('POST', '/auth/logout', 204, { credential });
  const { body } = await call<Refusal>('GET', '/payments/cards', 401, { credential });
  tell(body.error.code);
}
