import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../../test/customers/actors.ts';
import { withCheckDigit } from '../../../test/harness/card-numbers.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createLogger } from './logger.ts';

const number = withCheckDigit('452199307718264');

/** What the log contains about an error. */
function describeError(thrown: unknown) {
  const lines: string[] = [];
  createLogger('trace', { write: (line: string) => void lines.push(line) }).error({ err: thrown }, 'failed');
  expect(lines).toHaveLength(1);
  return { text: lines[0] ?? '', logged: JSON.parse(lines[0] ?? '').err };
}

describe('an error in the log', () => {
  it('has its kind, its message and its position', () => {
    const { logged } = describeError(new TypeError('x is not a function'));
    expect(logged).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
    expect(logged.stack).toMatch(/^ +at .*logger\.test\.ts/);
  });

  it('has its causes, by the same rules', () => {
    const cause = Object.assign(new Error(`about ${number}`), { code: 'ECONNREFUSED', body: number });
    const { logged, text } = describeError(new Error('outer', { cause: new Error('inner', { cause }) }));
    expect(logged.cause).toMatchObject({
      message: 'inner',
      cause: { message: 'about [number]', code: 'ECONNREFUSED' },
    });
    expect(text).not.toContain(number);
    const endless = new Error('round');
    endless.cause = endless;
    expect(describeError(endless).text.match(/"message":"round"/g)?.length).toBeLessThan(10);
  });

  it.each([number, number.replace(/(.{4})(?=.)/g, '$1 '), number.replace(/(.{4})(?=.)/g, '$1-')])(
    'has no card number in its message, however that is written: %s',
    (written) => {
      const { text } = describeError(new Error(`The gateway refused ${written}, and so on.`));
      expect(text).not.toContain(written);
      expect(text).toContain('The gateway refused [number], and so on.');
    },
  );

  it('has none of its other fields, at any depth', () => {
    const secrets = {
      query: 'SELECT secret',
      parameters: [number],
      body: { card: { number } },
      headers: { token: 'abc' },
    };
    const { logged, text } = describeError(
      Object.assign(new Error('failed'), secrets, { code: 'FST_ERR', statusCode: 500 }),
    );
    expect(text).not.toMatch(/secret|token|abc|query|parameters/);
    expect(Object.keys(logged).sort()).toEqual(['code', 'message', 'stack', 'type']);
  });

  it('is still an entry if something else than an error was thrown', () => {
    expect(describeError(number).logged).toEqual({ type: 'string' });
    expect(describeError({ number }).logged).toEqual({ type: 'object' });
  });

  it('of a parser has no message, because that quotes what was parsed', () => {
    const thrown = (() => {
      try {
        return JSON.parse(`{"number": ${number}x}`);
      } catch (error) {
        return error;
      }
    })();
    expect(describeError(thrown).logged).toEqual({ type: 'SyntaxError', stack: expect.any(String) });
  });
});

describe('requests and answers in the log', () => {
  it('have only a method and a status, whoever logs them', () => {
    const lines: string[] = [];
    const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
    logger.info({ req: { method: 'GET', url: `/x?${number}`, headers: { authorization: 'secret' } } }, 'a');
    logger.info({ res: { statusCode: 200, headers: { 'set-cookie': 'secret' } } }, 'b');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 30, time: expect.any(String), req: { method: 'GET' }, msg: 'a' },
      { level: 30, time: expect.any(String), res: { statusCode: 200 }, msg: 'b' },
    ]);
  });
});

describe('the log of a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(async () => service.stop());

  const linesOf = (requestId: string) =>
    service
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"${requestId}"`))
      .map((line) => JSON.parse(line));

  it('has one line of JSON per answer, with the request id, the route and the status', async () => {
    const { token, userId, companyId } = await signUpAdmin(service);
    const headers = { 'x-request-id': 'log-1' };
    await service.call('GET', `/labels/${userId}`, { token, headers });
    const [line, ...others] = linesOf('log-1');
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      msg: 'answered',
      reqId: 'log-1',
      method: 'GET',
      route: '/labels/:label_id',
      status: 404,
    });
    expect(line).toMatchObject({ companyId, userId, durationMs: expect.any(Number) });
  });

  it('has neither query strings, tokens, bodies nor unknown paths', async () => {
    const { token, email } = await signUpAdmin(service);
    const headers = { 'x-request-id': 'log-2' };
    await service.call('GET', `/labels?name=${number}`, { token, headers });
    await service.call('GET', `/secret-path/${number}?x=secret-query`, { token, headers });
    await service.call('POST', '/auth/local', { body: { email, password: 'Secret-word-77' }, headers });
    const text = JSON.stringify(linesOf('log-2'));
    expect(linesOf('log-2').filter((line) => line.msg === 'answered')).toHaveLength(3);
    for (const secret of [number, token, email, 'secret-path', 'secret-query', 'Secret-word-77']) {
      expect(service.logs()).not.toContain(secret);
      expect(text).not.toContain(secret);
    }
  });

  it('of an error from PostgreSQL has neither the statement, its parameters nor a value', async () => {
    const { db } = service.database;
    const errors = await Promise.all(
      [
        db`SELECT ${number}::uuid`,
        db`INSERT INTO labels (name) VALUES (${number})`,
        db`SELECT * FROM nowhere WHERE number = ${number}`,
      ].map((query) => query.catch((error: unknown) => error)),
    );
    for (const error of errors) {
      const { logged, text } = describeError(error);
      expect(logged.type).toBe('PostgresError');
      expect(text).not.toContain(number);
      expect(text).not.toMatch(/INSERT INTO|SELECT/);
    }
    expect(errors.map((error) => describeError(error).logged)).toMatchObject([
      { code: '22P02', routine: expect.any(String) },
      { code: '23502', table_name: 'labels', message: expect.stringContaining('null value in column') },
      { code: '42P01', message: 'relation "nowhere" does not exist' },
    ]);
  });
});
