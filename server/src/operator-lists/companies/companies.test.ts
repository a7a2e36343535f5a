import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newEmail } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const COMPANIES = 12;

let service: TestService;
/** In the order of sign-up. */
const admins: Actor[] = [];
let customer: Actor;
beforeAll(async () => {
  service = await startTestService();
  for (let number = 1; number <= COMPANIES; number += 1) admins.push(await signUpAdmin(service));
  customer = await signUpCustomer(service);
});
afterAll(async () => service.stop());

const list = (query = '') => service.call('GET', `/operator/companies${query}`, { token: service.operatorKey });
const listEmail = (email: string) => list(`?email=${encodeURIComponent(email)}`);
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const newestFirst = () => admins.map(({ companyId }) => companyId).toReversed();

describe('GET /operator/companies', () => {
  it('shows each company with every field, and its first admin’s e-mail as its own', async () => {
    const { body } = expectStatus(await list(), 200);
    expect(body.data[0]).toEqual({
      id: admins.at(-1)?.companyId,
      externalId: null,
      organization: '',
      metadata: {},
      name: '',
      phone: '',
      address: '',
      describe: '',
      email: admins.at(-1)?.email,
      disabled: false,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
  });

  it('has pages of ten by default, newest first, with the total', async () => {
    const { body } = await list();
    expect(body).toMatchObject({ total: COMPANIES, page: 1, perPage: 10 });
    expect(idsOf(body)).toEqual(newestFirst().slice(0, 10));
  });

  it('shows every company once over its pages, and an empty page past the end', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(`?page=${page}&perPage=5`)));
    expect(pages.map(({ body }) => [body.page, body.perPage, body.total, body.data.length])).toEqual([
      [1, 5, COMPANIES, 5],
      [2, 5, COMPANIES, 5],
      [3, 5, COMPANIES, 2],
    ]);
    expect(pages.flatMap(({ body }) => idsOf(body))).toEqual(newestFirst());
    const past = expectStatus(await list('?page=4&perPage=5'), 200);
    expect(past.body).toEqual({ total: COMPANIES, page: 4, perPage: 5, data: [] });
  });

  it('takes perPage from 1 to 1000 and page from 1', async () => {
    expect((await list('?perPage=1')).body.data).toHaveLength(1);
    expect((await list('?perPage=1000')).body.data).toHaveLength(COMPANIES);
    expect((await list('?page=1000000')).body.data).toEqual([]);
  });

  it.each([
    ...[
      'page=0',
      'page=-1',
      'page=1.5',
      'page=',
      'page=abc',
      'page=1e18',
      'page=99999999999999999999',
      'page=1&page=2',
    ],
    ...['perPage=0', 'perPage=-1', 'perPage=1001', 'perPage=1e9', 'perPage=', 'perPage=ten', 'perPage=1&perPage=2'],
    ...['email=', 'email=%20', `email=${'a'.repeat(256)}`, 'email=a@example.com&email=b@example.com', 'email=%00'],
  ])('answers ?%s with 400', async (query) => {
    const answer = await list(`?${query}`);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
  });

  it("finds a company by its admin's e-mail, ignoring case and spaces", async () => {
    const [, , admin] = admins;
    const email = admin?.email ?? '';
    for (const variant of [email, email.toUpperCase(), ` ${email} `]) {
      const { body } = await listEmail(variant);
      expect([body.total, idsOf(body)]).toEqual([1, [admin?.companyId]]);
      expect(body.data[0].email).toBe(email);
    }
  });

  it('matches whole e-mails only: no part, no pattern', async () => {
    const email = admins[0]?.email ?? '';
    for (const other of [
      email.slice(1),
      email.slice(0, -1),
      '%',
      '%@example.com',
      email.replace('-', '_'),
      "' OR 1=1 --",
    ]) {
      const { body } = await listEmail(other);
      expect([other, body.total, body.data]).toEqual([other, 0, []]);
    }
  });

  it('finds no company by an unknown e-mail, nor by a customer’s', async () => {
    expect((await listEmail(newEmail())).body).toMatchObject({ total: 0, data: [] });
    expect((await listEmail(customer.email)).body).toMatchObject({ total: 0, data: [] });
  });

  it('prefers the company’s own e-mail to its admin’s, and finds it by both', async () => {
    const admin = admins[5];
    const email = `Billing-${newEmail()}`;
    await service.database.owner`UPDATE companies SET email = ${email} WHERE id = ${admin?.companyId ?? ''}`;
    for (const asked of [email, email.toLowerCase(), admin?.email ?? '']) {
      const { body } = await listEmail(asked);
      expect([body.total, idsOf(body), body.data[0]?.email]).toEqual([1, [admin?.companyId], email]);
    }
  });
});
