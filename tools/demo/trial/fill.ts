import { isPaydeskError } from '../../../packages/client/src/index.ts';
import { count, startOfMonth } from '../format.ts';
import { bill } from '../operator.ts';
import { endProgress, printDetail, printStep, showProgress } from '../output.ts';
import { type Access, COMPANIES, type DemoCompany, emailOf, PASSWORD, type SignedUp } from './companies.ts';
import { inviteColleagues, verifyEmail } from './people.ts';
import { setPrices, usageOf } from './usage.ts';

const MONTHS = 6;
const DECLINED = '4000000000009995';
/** In the last time zone, a month ends twelve hours later than in UTC. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** Fills a new service: the same data each time, with the months counted from now. */
export async function fill(access: Access, companies: number): Promise<void> {
  const { operator } = access;
  const end = startOfMonth(new Date(Date.now() - LAST_ZONE_MS));
  const months = Array.from({ length: MONTHS }, (_, index) => startOfMonth(end, index - MONTHS));
  await setUpSeller(access);
  await setPrices(operator, months[0] ?? end);
  const signedUp = await signUpAll(access, COMPANIES.slice(0, companies));
  await reportAll(access, signedUp, months);
  for (const [index, month] of months.entries()) await billMonth(access, signedUp, month, index === MONTHS - 1);
  await correct(access, signedUp);
  await addPeople(access, signedUp);
}

async function setUpSeller({ operator }: Access): Promise<void> {
  printStep('The seller');
  const { name } = await operator.seller.update({
    name: 'Northwind Interfaces Ltd',
    addressLines: ['221 Harbour Street', 'Bristol BS1 4XX', 'United Kingdom'],
    taxId: 'GB 987 6543 21',
    email: 'billing@northwind.example',
    footerText: 'Thank you for your business.',
  });
  printDetail(name);
}

async function signUpAll(access: Access, companies: readonly DemoCompany[]): Promise<SignedUp[]> {
  printStep('Companies sign up, with their addresses and cards');
  const signedUp = [];
  for (const company of companies) {
    showProgress(signedUp.length / companies.length, company.name);
    signedUp.push(await signUp(access, company));
  }
  endProgress();
  printDetail(`${count(signedUp.length)} companies, from ${companies[0]?.name} to ${companies.at(-1)?.name}`);
  return signedUp;
}

async function signUp({ operator, connect }: Access, company: DemoCompany): Promise<SignedUp> {
  const { name, person, address, currency, taxRate, cardNumber } = company;
  const email = emailOf(company);
  const { data } = await connect().auth.signUpAdmin({
    ...{ first_name: person.firstName, last_name: person.lastName },
    ...{ email, password: PASSWORD },
  });
  const { id } = data.user.company;
  const client = connect({ accessToken: data.access_token });
  await client.company.update({ name, email });
  const { streetAddress, city, zipCode, country } = address;
  await client.billingInformation.update({
    ...person,
    organization: name,
    address: streetAddress,
    zipCode,
    city,
    country,
  });
  const saved = await client.addresses.create({ ...person, streetAddress, zipCode, state: city, country });
  const signedUp = { ...company, id, client, addressId: saved.id };
  await saveCard(signedUp, cardNumber);
  // Only the demo charges while it fills the service, so that each invoice gets the state that it is to have.
  const settings = { currency, taxRate, timezone: 'UTC', invoiceGraceHours: 0, collection: 'manual' } as const;
  await operator.companies.billingSettings.update(id, settings);
  return signedUp;
}

async function saveCard({ client, person, address, addressId }: SignedUp, cardNumber: string): Promise<void> {
  const cardName = `${person.firstName} ${person.lastName}`;
  const expYear = new Date().getUTCFullYear() + 3;
  const info = {
    cardName,
    cardNumber,
    expMonth: 12,
    expYear,
    cvv: '1234'.slice(0, cardNumber.startsWith('3') ? 4 : 3),
  };
  await client.cards.create({ addressId, isDefault: true, info: { ...info, country: address.country } });
}

async function reportAll({ operator }: Access, companies: readonly SignedUp[], months: readonly Date[]): Promise<void> {
  printStep('Six months of usage, and this month until now');
  let events = 0;
  for (const [index, company] of companies.entries()) {
    showProgress(index / companies.length, company.name);
    const { accepted } = await operator.usage.report(usageOf(company, index, months));
    events += accepted;
  }
  endProgress();
  printDetail(`${count(events)} events`);
}

/** Bills a month, and has its invoices become what they are to be: before the last one, all are paid. */
async function billMonth(access: Access, companies: readonly SignedUp[], month: Date, isLast: boolean): Promise<void> {
  const { operator } = access;
  printStep(`The invoices of ${month.toISOString().slice(0, 7)}`);
  if (isLast) {
    for (const { id, latest } of companies)
      if (latest === 'due' || latest === 'credited')
        await operator.companies.billingSettings.update(id, { netDays: 14 });
  }
  await bill({ operator, quietOperator: operator }, month.toISOString().slice(0, 7));
  const { data: open } = await operator.invoices.list({ state: 'open', perPage: 100 });
  let paid = 0;
  for (const [index, invoice] of open.entries()) {
    const company = companies.find(({ id }) => id === invoice.companyId);
    if (company === undefined || (isLast && ['due', 'credited', 'overdue'].includes(company.latest))) continue;
    showProgress(index / open.length, company.name);
    if (isLast && company.latest === 'failed') await saveCard(company, DECLINED);
    paid += await pay(company, invoice.id);
  }
  endProgress();
  printDetail(`${count(open.length)} issued, ${count(paid)} paid`);
}

/** @returns 1, or 0 when the bank declines */
async function pay({ client }: SignedUp, invoiceId: string): Promise<number> {
  try {
    await client.invoices.pay(invoiceId);
    return 1;
  } catch (error) {
    if (!isPaydeskError(error, 'card_declined')) throw error;
    return 0;
  }
}

/** A refund, a credit note, an invoice that was void and credit; then the collection goes on by itself, but for what is overdue. */
async function correct({ operator }: Access, companies: readonly SignedUp[]): Promise<void> {
  printStep('A refund, a credit note, a void invoice and some credit');
  for (const { id, currency, latest } of companies) {
    const { data } = await operator.invoices.list({ companyId: id, perPage: 1 });
    const [invoice] = data;
    const paymentId = invoice?.payment?.id;
    if (latest === 'refunded' && paymentId !== undefined) {
      await operator.payments.refunds.create(paymentId, { amount: '10.00', reason: 'Outage on one day' });
      await operator.companies.credits.grant(id, { amount: '25.00', currency, reason: 'Welcome' });
    }
    if (latest === 'credited' && invoice !== undefined)
      await operator.invoices.creditNotes.create(invoice.id, { amount: '5.00', reason: 'Usage of a test system' });
    if (latest === 'failed') await voidOne(operator, id, currency);
    if (latest !== 'overdue') await operator.companies.billingSettings.update(id, { collection: 'by_card' });
  }
}

async function voidOne(operator: Access['operator'], companyId: string, currency: string): Promise<void> {
  const now = new Date();
  const period = { startAt: startOfMonth(now).toISOString(), endAt: startOfMonth(now, 1).toISOString() };
  const line = { title: 'Onboarding workshop', path: '/workshops', totalRequest: 1, currency, amount: '250.00' };
  const { id } = await operator.invoices.create({ companyId, ...period, taxRate: '0', details: [line] });
  await operator.invoices.void(id);
}

const LABELS = [
  ['Priority', '#c2410c', 'Answer within the hour'],
  ['Waiting', '#1f6feb', 'The customer answers next'],
  ['Billing', '#0b6e56', 'Questions about invoices'],
  ['Bug', '#b3261e', 'Something does not work'],
  ['Feature request', '#7c3aed', 'Something that is missing'],
  ['VIP', '#a16207', 'Customers with a contact of their own'],
] as const;

async function addPeople(access: Access, [main]: readonly SignedUp[]): Promise<void> {
  if (main === undefined) return;
  printStep(`Labels and colleagues at ${main.name}`);
  const userName = `${main.person.firstName} ${main.person.lastName}`;
  for (const [name, color, description] of LABELS)
    await main.client.labels.create({ name, color, description, userName });
  await verifyEmail(access, main);
  await inviteColleagues(access, main);
  printDetail(`${LABELS.length} labels, two colleagues, and an invitation that is open`);
}
