import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { type Actor, saveAddress, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { holdCharges, releaseCharges } from '../../../../test/recovery/hold.ts';
import { ApiError, ERROR_CODES, invalidField, notFound } from '../../errors.ts';
import { errorBody } from './errors.ts';

let service: TestService;
let actor: Actor;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  actor = await signUpAdmin(service);
});

/** What must never be in an answer: SQL and its names, stack traces, paths, names of errors. */
const INSIDES =
  /select|insert|update |relation|column|constraint|schema|postgres|\bat \S+:\d+|\.ts\b|node_modules|\/\w+\/\w+\/|Error:|Exception|42P01/i;

/** Breaks the database while the work runs. */
async function whileBroken<T>(breaking: string, mending: string, work: () => Promise<T>): Promise<T> {
  await service.database.owner.unsafe(breaking);
  try {
    return await work();
  } finally {
    await service.database.owner.unsafe(mending);
  }
}

function logLineOf({ headers }: Answer): Record<string, unknown>[] {
  const id = headers.get('x-request-id') ?? 'none';
  const lines = service
    .logs()
    .split('\n')
    .filter((line) => line.includes(id));
  return lines.map((line) => JSON.parse(line));
}

test('an answer’s log line has its own error’s code only', async () => {
  const missing = await service.call('GET', `/labels/${randomUUID()}`, { token: actor.token });
  const fine = await service.call('GET', '/labels', { token: actor.token });
  expect(logLineOf(missing)).toMatchObject([{ status: 404, code: 'not_found', msg: 'answered' }]);
  expect(logLineOf(fine)).toMatchObject([{ status: 200, msg: 'answered' }]);
  expect(logLineOf(fine)[0]).not.toHaveProperty('code');
});

test('a deadlock that is lost again and again is 503 with Retry-After, and nothing is done', async () => {
  const { token } = actor;
  const body = { name: 'Priority', description: 'Answer first', color: '#fff', userName: 'Ada' };
  const breaking = `
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost' USING ERRCODE = '40P01'; END $$;
    CREATE TRIGGER lose BEFORE INSERT ON labels FOR EACH ROW EXECUTE FUNCTION lose()`;
  const answers = await whileBroken(breaking, 'DROP FUNCTION lose CASCADE', () =>
    Promise.all([
      service.call('POST', '/labels', { token, body }),
      service.call('POST', '/labels', { token, body, headers: { 'idempotency-key': randomUUID() } }),
    ]),
  );
  for (const answer of answers) {
    expectRefusal(answer, 503, 'service_unavailable');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect((await service.call('GET', '/labels', { token })).body.total).toBe(0);
});

// Security (HTTP, and what all share): An internal error is a plain 500; only the log has the cause
describe('an internal error', () => {
  const rename = ['ALTER TABLE labels RENAME TO elsewhere', 'ALTER TABLE elsewhere RENAME TO labels'] as const;

  test('is a plain 500 with a request id, and the log has the cause', async () => {
    const { token } = actor;
    const body = { name: randomUUID(), description: 'Secret words', color: '#fff', userName: 'x' };
    const answers = await whileBroken(...rename, () =>
      Promise.all([
        service.call('GET', '/labels', { token }),
        service.call('GET', '/labels?name=secret', { token }),
        service.call('POST', '/labels', { token, body }),
        service.call('POST', '/labels', { token, body, headers: { 'idempotency-key': randomUUID() } }),
        service.call('GET', `/labels/${randomUUID()}`, { token }),
      ]),
    );
    for (const answer of answers) {
      expectRefusal(answer, 500, 'internal_error');
      expect(Object.keys(answer.body.error)).toEqual(['code', 'message', 'details', 'requestId']);
      expect(answer.body.error.details).toEqual([]);
      expect(answer.text).not.toMatch(INSIDES);
      expect([...answer.headers.values()].join('\n')).not.toMatch(/relation|select|\.ts\b/i);
      const causes = logLineOf(answer).filter(({ level }) => Number(level) >= 50);
      expect(causes).toHaveLength(1);
      expect(JSON.stringify(causes)).toContain('relation \\"labels\\" does not exist');
    }
    expect(service.logs()).not.toContain('Secret words');
  });

  test('on a route under /auth adds "data": null and says no more', async () => {
    const answer = await whileBroken(
      'ALTER TABLE users RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO users',
      async () => {
        const body = {
          first_name: 'A',
          last_name: 'B',
          email: `${randomUUID()}@example.com`,
          password: 'Correct-horse-7',
        };
        return service.call('POST', '/auth/signup/admin', { body });
      },
    );
    expectRefusal(answer, 500, 'internal_error');
    expect(answer.body.data).toBeNull();
    expect(answer.text).not.toMatch(INSIDES);
    expect(service.logs()).not.toContain('Correct-horse-7');
  });

  test('never logs a card’s number and security code', async () => {
    const addressId = await saveAddress(service, actor);
    const info = {
      cardName: 'A',
      cardNumber: '5555555555554444',
      expMonth: 12,
      expYear: 2090,
      cvv: '9173',
      country: 'GB',
    };
    const answer = await whileBroken(
      'ALTER TABLE cards RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO cards',
      () => service.call('POST', '/payments/cards', { token: actor.token, body: { addressId, info } }),
    );
    expectRefusal(answer, 500, 'internal_error');
    // Four digits may be part of an id, so the code is searched as a separate number.
    expect(service.logs()).not.toMatch(/55555555|(?<![\w-])9173(?![\w-])/);
  });

  test('a write refused by an unexpected constraint is a 500 without its values', async () => {
    const { token } = actor;
    const send = () => service.call('POST', '/payments/addresses', { token, body: { firstName: 'Unrepeatable' } });
    await send();
    const answer = await whileBroken(
      'CREATE UNIQUE INDEX surprise ON addresses (company_id, first_name)',
      'DROP INDEX surprise',
      send,
    );
    expectRefusal(answer, 500, 'internal_error');
    expect(answer.text).not.toMatch(/surprise|Unrepeatable/);
  });

  test('the service continues as before', async () => {
    await whileBroken(...rename, () => service.call('GET', '/labels', { token: actor.token }));
    expect((await service.call('GET', '/labels', { token: actor.token })).status).toBe(200);
  });
});

test('a validated value that the database refuses is 400, and logged', async () => {
  const answer = await whileBroken(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'value too long' USING ERRCODE = '22001'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON addresses FOR EACH ROW EXECUTE FUNCTION refuse()`,
    'DROP FUNCTION refuse CASCADE',
    () => service.call('POST', '/payments/addresses', { token: actor.token, body: {} }),
  );
  expectRefusal(answer, 400, 'invalid_request');
  expect(answer.text).not.toMatch(INSIDES);
  expect(JSON.stringify(logLineOf(answer).filter(({ level }) => Number(level) >= 50))).toContain('22001');
});

test('client errors are not logged as errors', async () => {
  const { token } = actor;
  const answers = await Promise.all([
    service.call('GET', '/labels/x', { token }),
    service.call('GET', '/labels?per_page=0', { token }),
    service.call('GET', '/labels'),
    service.call('GET', '/nothing'),
    service.call('POST', '/labels', { token, rawBody: '{', headers: { 'content-type': 'application/json' } }),
  ]);
  for (const answer of answers) {
    const [line, ...more] = logLineOf(answer);
    expect([line?.level, line?.status, more]).toEqual([30, answer.status, []]);
  }
});

test('what is refused during a hold is not logged as an error', async () => {
  await holdCharges(service);
  await service.chargesHold.refresh();
  const answer = await service.call('PUT', `/payments/orders/${randomUUID()}/pay`, { token: actor.token });
  await releaseCharges(service);
  expectRefusal(answer, 503, 'charges_held');
  expect(logLineOf(answer)).toMatchObject([{ level: 30, status: 503, code: 'charges_held', msg: 'answered' }]);
});

describe('the error shape', () => {
  test('has code, message, details and requestId; declineCode only with a declined card', () => {
    expect(errorBody(invalidField('info.expMonth', 'is wrong'), 'r1', '/payments/cards')).toEqual({
      error: {
        code: 'invalid_request',
        message: 'info.expMonth is wrong.',
        details: [{ field: 'info.expMonth', message: 'is wrong' }],
        requestId: 'r1',
      },
    });
    expect(errorBody(notFound('label'), 'r1', '/labels/x')).toEqual({
      error: { code: 'not_found', message: 'There is no such label.', details: [], requestId: 'r1' },
    });
    const declined = new ApiError('card_declined', 'No.', { declineCode: 'lost_card' });
    expect(errorBody(declined, 'r1', '/payments/orders/x/pay')).toHaveProperty('error.declineCode', 'lost_card');
    expect(errorBody(notFound('x'), 'r1', '/auth/x')).toHaveProperty('data', null);
  });

  test('every code is snake_case and has a status of the contract', () => {
    for (const [code, [status, meaning]] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect([400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503]).toContain(status);
      expect(meaning.length).toBeGreaterThan(10);
    }
  });
});
