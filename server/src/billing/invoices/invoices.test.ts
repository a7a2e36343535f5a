import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, invoiceBody, issueInvoice, saveCard, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { findNumberViolations } from '../../../test/invariants/invariants.numbers.ts';

let service: TestService;
let admin: Actor;
beforeAll(async () => {
  service = await startTestService();
  admin = await signUpAdmin(service);
});
afterAll(async () => service.stop());

const issue = (changes: object, token = service.operatorKey) =>
  service.call('POST', '/operator/invoices', { token, body: invoiceBody(admin.companyId, changes) });

const line = (changes: object = {}) => ({
  title: 'Speech to text',
  path: '/v1/transcriptions',
  totalRequest: 12_000,
  currency: 'USD',
  amount: '48.00',
  ...changes,
});

describe('POST /operator/invoices', () => {
  it('issues a Processing invoice with every field', async () => {
    const billing = await service.call('GET', '/payments/billing-information', { token: admin.token });
    const invoice = await issueInvoice(service, admin.companyId, { taxRate: '20', metadata: { contract: 'C-1' } });
    expect(invoice).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      companyId: admin.companyId,
      companyExternalId: null,
      number: expect.stringMatching(/^INV-\d{6}$/),
      reference: null,
      billToId: billing.body.id,
      paymentId: null,
      startAt: '2026-10-01T00:00:00.000Z',
      endAt: '2026-11-01T00:00:00.000Z',
      method: 'Card',
      status: 'Processing',
      state: 'open',
      reverseCharge: false,
      currency: 'USD',
      taxRate: '20',
      taxes: [{ rate: '20', net: '48.00', tax: '9.60' }],
      details: [
        { title: 'Speech to text', path: '/v1/transcriptions', totalRequest: '12000', currency: 'USD', amount: 48 },
      ],
      subTotal: '48.00',
      tax: '9.60',
      total: '57.60',
      metadata: { contract: 'C-1' },
      creditedTotal: '0.00',
      refundedTotal: '0.00',
      dueAt: expect.stringMatching(/Z$/),
      voidedAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });

  it.each([{ kind: 'usage' }, { priceId: null }, { period: { startAt: 'then', endAt: 'later' } }])(
    'rejects fields that only a billing run may set in a line: %s',
    async (computed) => {
      const [name] = Object.keys(computed);
      const { status, body } = await issue({ details: [line(computed)] });
      expect([status, body.error.details[0].field]).toEqual([400, `details[0].${name}`]);
    },
  );

  it('accepts amount and totalRequest as numbers or strings, and method paypal', async () => {
    const answer = await issue({
      method: 'paypal',
      details: [line({ amount: 0.1, totalRequest: '7' }), line({ amount: '0.2', totalRequest: 0 })],
    });
    expect(answer.body).toMatchObject({
      method: 'paypal',
      subTotal: '0.30',
      tax: '0.00',
      total: '0.30',
      metadata: null,
    });
    expect(answer.body.details.map(({ totalRequest }: { totalRequest: string }) => totalRequest)).toEqual(['7', '0']);
  });

  // Security (Amounts, documents and card data): Currencies with no decimals and with three are rounded correctly
  it.each([
    ['USD', '10.005', '10.01', '10.01', 2],
    ['JPY', '100', '100.00', '100', 0],
    ['JPY', '0.5', '1.00', '1', 0],
    ['KWD', '1.0005', '1.001', '1.001', 3],
    ['USD', '-0.005', '-0.01', '-0.01', 2],
  ])('rounds a line once, half away from zero: %s %s becomes %s', async (currency, amount, shown, number) => {
    const filler = line({ currency, amount: '1000' });
    const answer = await issue({ details: [line({ currency, amount }), filler] });
    expect(answer.text).toContain(`"amount":${number}`);
    const single = Number(shown) >= 0 ? await issue({ details: [line({ currency, amount })] }) : null;
    if (single !== null) expect(single.body.total).toBe(shown);
  });

  it('accepts instants with any number of fractional digits, and keeps three of them', async () => {
    const period = { startAt: '2026-10-01T00:00:00.1234567890Z', endAt: '2026-11-01T00:00:00.99999999999999999999Z' };
    const invoice = await issueInvoice(service, admin.companyId, period);
    expect([invoice.startAt, invoice.endAt]).toEqual(['2026-10-01T00:00:00.123Z', '2026-11-01T00:00:00.999Z']);
  });

  it('rounds the tax once, half away from zero, from the sum of the rounded lines', async () => {
    const answer = await issue({ taxRate: '7.5', details: [line({ amount: '0.335' }), line({ amount: '0.335' })] });
    expect(answer.body).toMatchObject({ subTotal: '0.68', tax: '0.05', total: '0.73' });
  });

  // Security (Amounts, documents and card data): Amounts that a float can't hold are returned unchanged
  it('keeps 90071992547409.93 exactly, as a number and as a string', async () => {
    for (const amount of ['90071992547409.93', '"90071992547409.93"']) {
      const text = JSON.stringify(invoiceBody(admin.companyId, { details: [line({ amount: 'AMOUNT' })] })).replace(
        '"AMOUNT"',
        amount,
      );
      const answer = await service.call('POST', '/operator/invoices', {
        token: service.operatorKey,
        rawBody: text,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(201);
      expect(answer.text).toContain('"amount":90071992547409.93');
      expect(answer.body.total).toBe('90071992547409.93');
    }
  });

  it('numbers the invoices without a gap, even if many are issued in parallel and some are refused', async () => {
    const company = await signUpAdmin(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.call('POST', '/operator/invoices', {
          token: service.operatorKey,
          body: invoiceBody(company.companyId, index % 4 === 0 ? { details: [line({ amount: '-1' })] } : {}),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(await findNumberViolations(service.database.owner)).toEqual([]);
  });

  it.each([
    ['companyId', { companyId: randomUUID() }],
    ['companyId', { companyId: 'nobody' }],
    ['startAt', { startAt: '2026-10-01' }],
    ['startAt', { startAt: '2026-02-30T00:00:00Z' }],
    ['startAt', { startAt: '2026-10-01T00:00:00' }],
    ['endAt', { endAt: '2026-10-01T00:00:00.000Z' }],
    ['endAt', { endAt: '2026-09-01T00:00:00Z' }],
    ['method', { method: 'Cash' }],
    ['taxRate', { taxRate: 20 }],
    ['taxRate', { taxRate: '-1' }],
    ['taxRate', { taxRate: 'NaN' }],
    ['details', { details: [] }],
    ['details', { details: Array.from({ length: 1_001 }, () => line()) }],
    ['details', { details: [line({ amount: '-1' })] }],
    ['details[0].title', { details: [line({ title: ' ' })] }],
    ['details[0].totalRequest', { details: [line({ totalRequest: -1 })] }],
    ['details[0].totalRequest', { details: [line({ totalRequest: 1.5 })] }],
    ['details[0].currency', { details: [line({ currency: 'usd' })] }],
    ['details[0].currency', { details: [line({ currency: 'XXX' })] }],
    ['details[1].currency', { details: [line(), line({ currency: 'EUR' })] }],
    ['details[0].amount', { details: [line({ amount: '1,50' })] }],
    ['details[0].amount', { details: [line({ amount: 'Infinity' })] }],
    ['details[0].amount', { details: [line({ amount: null })] }],
    ['details[0].amount', { details: [line({ amount: '1000000000000000' })] }],
    ['metadata', { metadata: 'text' }],
    ['metadata', { metadata: { large: 'x'.repeat(17_000) } }],
  ])('rejects a wrong %s with 400 on that field', async (field, changes) => {
    const answer = await issue(changes);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_request');
    expect(answer.body.error.details[0].field).toBe(field);
  });

  it('describes each problem in a full sentence', async () => {
    const messageOf = async (changes: object) => (await issue(changes)).body.error.message;
    expect(await messageOf({ details: [] })).toBe('details must not be empty.');
    expect(await messageOf({ details: [line({ amount: true })] })).toBe(
      'details[0].amount must be a string or a number.',
    );
    expect(await messageOf({ endAt: '2020-01-01T00:00:00Z' })).toBe('endAt must be after startAt.');
  });

  it('returns metadata as sent, and rejects numbers in it that JavaScript would change', async () => {
    const call = (numbers: string) =>
      service.call('POST', '/operator/invoices', {
        token: service.operatorKey,
        rawBody: JSON.stringify(invoiceBody(admin.companyId, { metadata: { deep: ['*'] } })).replace('"*"', numbers),
        headers: { 'content-type': 'application/json' },
      });
    const taken = await call('9007199254740991,-9007199254740991,0.1,-1.5e-7,"9007199254740993"');
    expect(taken.status).toBe(201);
    const sent = [9007199254740991, -9007199254740991, 0.1, -1.5e-7, '9007199254740993'];
    expect(taken.body.metadata).toEqual({ deep: sent });
    for (const number of ['9007199254740993', '-9007199254740993', '1e20', '1e999', '-1e999']) {
      const answer = await call(number);
      expect(answer.status, number).toBe(400);
      expect(answer.body.error.details).toEqual([
        { field: 'metadata', message: 'must not contain a number beyond 9007199254740991: send it as text' },
      ]);
    }
  });

  // Security (Bodies, paths and queries): Impossible dates, and words that the database would read as dates, are 400 in filters and bodies
  it.each(['startAt', 'endAt'])('rejects a %s that is not a valid instant', async (field) => {
    const dates = ['2024-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '99999-01-01T00:00:00Z', '2026-10-01T24:00:00Z'];
    for (const value of [...dates, 'now', 'infinity', '-infinity', 'yesterday', 'epoch', '', 1_790_812_800, null]) {
      const answer = await issue({ [field]: value });
      expect(answer.status, String(value)).toBe(400);
      expect(answer.body.error.details[0].field).toBe(field);
    }
  });

  it.each(['id', 'status', 'total', 'paymentId', 'number'])(
    'rejects the field %s, which the operator can’t set',
    async (name) => {
      const { status, body } = await issue({ [name]: 'x' });
      expect([status, body.error.details[0].field]).toEqual([400, name]);
    },
  );

  // Security (Methods, media types and idempotency keys): Idempotency keys work on the operator's invoices
  it('issues one invoice per Idempotency-Key, however often it is sent', async () => {
    const company = await signUpAdmin(service);
    const send = (amount: string) =>
      service.call('POST', '/operator/invoices', {
        token: service.operatorKey,
        headers: { 'idempotency-key': company.companyId },
        body: invoiceBody(company.companyId, { details: [line({ amount })] }),
      });
    const first = await send('1.00');
    const again = await send('1.00');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await send('2.00')).status).toBe(422);
    const list = await service.call('GET', '/payments/orders', { token: company.token });
    expect(list.body.total).toBe(1);
  });
});

describe('an invoice of zero', () => {
  it('is paid without a card and without a charge', async () => {
    const company = await signUpAdmin(service);
    const invoice = await issueInvoice(service, company.companyId, {
      details: [line({ amount: '5' }), line({ amount: '-5' })],
    });
    const before = (await service.sandbox.readFaults()).calls;
    const paid = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: company.token });
    expect(paid.body).toMatchObject({ status: 'Succeeded', total: '0.00', paymentId: expect.any(String) });
    expect((await service.sandbox.readFaults()).calls).toEqual(before);
  });
});

describe('Invoice.payment in the list', () => {
  it('is null before any payment and absent from every other answer', async () => {
    const company = await signUpAdmin(service);
    const invoice = await issueInvoice(service, company.companyId);
    expect(invoice).not.toHaveProperty('payment');
    const list = await service.call('GET', '/payments/orders', { token: company.token });
    expect(list.body.data[0].payment).toBeNull();
  });

  it('shows the payment with every field of the contract', async () => {
    const company = await signUpAdmin(service);
    const cardId = await saveCard(service, company);
    const invoice = await issueInvoice(service, company.companyId, {
      details: [line({ currency: 'KWD', amount: '1.5' })],
    });
    const paid = await service.call('PUT', `/payments/orders/${invoice.id}/pay`, { token: company.token });
    expect(paid.body).not.toHaveProperty('payment');
    const list = await service.call('GET', '/payments/orders', { token: company.token });
    expect(list.body.data[0].payment).toEqual({
      id: paid.body.paymentId,
      invoiceId: invoice.id,
      cardId,
      method: 'Card',
      gateway: 'sandbox',
      amount: '1.500',
      creditAmount: '0.000',
      currency: 'KWD',
      status: 'Succeeded',
      failureReason: null,
      declineCode: null,
      nextAction: null,
      initiator: 'manual',
      card: { brand: 'visa', cardNumber: '4242********4242' },
      paypalAccount: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });
});
