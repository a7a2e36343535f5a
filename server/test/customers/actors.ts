import { randomUUID } from 'node:crypto';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';

/** Published test card numbers. The sandbox gateway declines those named after a decline when they are charged. */
export const CARDS = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  lost: '4000000000009987',
  expired: '4000000000000069',
  processingError: '4000000000000119',
  /** The bank asks the holder: unless the card was set up, always, and only on session. */
  asksUnlessSetUp: '4000002500003155',
  asksAlways: '4000002760003184',
  asksOnSession: '4000008260003178',
};

export const PASSWORD = 'Correct-horse-7';

export type Actor = { token: string; refreshToken: string; userId: string; companyId: string; email: string };

/** Signs up an admin with a new company. */
export async function signUpAdmin(service: TestService, email = `${randomUUID()}@example.com`): Promise<Actor> {
  return signUp(service, 'admin', email);
}

/** Signs up a customer, who has no company. */
export async function signUpCustomer(service: TestService, email = `${randomUUID()}@example.com`): Promise<Actor> {
  return signUp(service, 'customer', email);
}

async function signUp(service: TestService, kind: 'admin' | 'customer', email: string): Promise<Actor> {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email, password: PASSWORD };
  const { data } = expectStatus(await service.call('POST', `/auth/signup/${kind}`, { body }), 201).body;
  const { access_token: token, refresh_token: refreshToken, user } = data;
  return { token, refreshToken, userId: user.id, companyId: user.company.id, email };
}

/** Saves an address. @returns its id */
export async function saveAddress(
  service: TestService,
  { token }: Actor,
  body: object = { city: 'London' },
): Promise<string> {
  return expectStatus(await service.call('POST', '/payments/addresses', { token, body }), 201).body.id;
}

/** The same in each body, also while a year begins. */
const EXP_YEAR = new Date().getUTCFullYear() + 3;

/** A valid body for a new card. */
export function cardBody(addressId: string, { cardNumber = CARDS.visa, isDefault = false } = {}) {
  return {
    isDefault,
    addressId,
    info: { cardName: 'Ada Lovelace', cardNumber, expMonth: 12, expYear: EXP_YEAR, cvv: '123', country: 'GB' },
  };
}

/** Saves a card with its own address. @returns its id */
export async function saveCard(
  service: TestService,
  actor: Actor,
  options: { cardNumber?: string; isDefault?: boolean } = {},
): Promise<string> {
  const body = cardBody(await saveAddress(service, actor), options);
  return expectStatus(await service.call('POST', '/payments/cards', { token: actor.token, body }), 201).body.id;
}

/** Adds a year to the expiry date of the company's only card. */
export async function renewCard(service: TestService, { token }: Actor): Promise<void> {
  const [card] = expectStatus(await service.call('GET', '/payments/cards', { token }), 200).body;
  const body = { info: { expMonth: card.info.expMonth, expYear: card.info.expYear + 1 } };
  expectStatus(await service.call('PUT', `/payments/cards/${card.id}`, { token, body }), 200);
}

/** A valid body for a new invoice of 48.00 USD without tax. */
export function invoiceBody(companyId: string, changes: object = {}) {
  return {
    companyId,
    startAt: '2026-10-01T00:00:00.000Z',
    endAt: '2026-11-01T00:00:00.000Z',
    details: [
      { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: 12_000, currency: 'USD', amount: '48.00' },
    ],
    ...changes,
  };
}

/** Issues an invoice as the operator. @returns the invoice */
export async function issueInvoice(service: TestService, companyId: string, changes: object = {}) {
  const body = invoiceBody(companyId, changes);
  return expectStatus(await service.call('POST', '/operator/invoices', { token: service.operatorKey, body }), 201).body;
}

/** Fails the test if the answer has another status, and prints the whole answer and the log entries of a 5xx. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status) {
    const log = answer.log ? `\nlogged:\n${answer.log}` : '';
    throw new Error(`expected ${status}, but the answer was ${answer.status}: ${answer.text}${log}`);
  }
  return answer;
}
