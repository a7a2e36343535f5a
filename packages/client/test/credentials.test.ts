import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaydesk, type PaydeskOptions } from '../src/index.ts';
import { createFakeTimeClient, refusal, type Script, startScript } from './script.ts';

let script: Script;
beforeAll(async () => {
  script = await startScript();
});
afterAll(() => script?.stop());

const TOKEN = 'eyJ-a-secret-token';
const KEY = 'opk_a-secret-key';
const credentialsOf = () => script.asked.map(({ headers }) => headers.authorization);

/** What a call rejects with, in all ways in which it may be printed. */
async function printedFailureOf(promise: PromiseLike<unknown>): Promise<string> {
  const error = await promise.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  );
  return [String(error), inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error)].join('\n');
}

describe('a credential', () => {
  it('is sent with the operations that need it: the token with a company’s, the key with the operator’s, none with a login', async () => {
    script.play({ status: 200, body: { data: [] } });
    const paydesk = createPaydesk({ url: script.url, accessToken: TOKEN, operatorKey: KEY });
    await paydesk.cards.list();
    await paydesk.operator.companies.list();
    await paydesk.auth.logIn({ email: 'ada@example.com', password: 'Correct-horse-7' });
    expect(credentialsOf()).toEqual([`Bearer ${TOKEN}`, `Bearer ${KEY}`, undefined]);
  });

  it('can be a function, which is called for each attempt', async () => {
    script.play('cut', { status: 200, body: [] });
    let count = 0;
    const accessToken = async () => {
      count += 1;
      return `token-${count}`;
    };
    await createFakeTimeClient({ url: script.url, accessToken }).paydesk.cards.list();
    expect(credentialsOf()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('that is missing is named in the error, before anything is sent', async () => {
    script.play({ status: 200, body: [] });
    const paydesk = createPaydesk({ url: script.url });
    await expect(paydesk.operator.seller.get()).rejects.toThrow('This needs the option operatorKey of createPaydesk.');
    await expect(paydesk.cards.list()).rejects.toThrow('This needs the option accessToken of createPaydesk.');
    expect(script.asked).toEqual([]);
  });

  it('of staff, an access token, is sent with the operator’s operations where there is no key', async () => {
    script.play({ status: 200, body: {} });
    await createPaydesk({ url: script.url, accessToken: TOKEN }).operator.seller.get();
    expect(credentialsOf()).toEqual([`Bearer ${TOKEN}`]);
  });

  it('is not in anything that may be printed: the client, its errors, their causes', async () => {
    const paydesk = createPaydesk({ url: script.url, accessToken: TOKEN, operatorKey: KEY, maxRetries: 0 });
    const printed = [inspect(paydesk, { depth: 10, showHidden: true }), JSON.stringify(paydesk), String(paydesk)];
    for (const reply of ['cut', refusal(401, 'unauthenticated'), { status: 502, body: 'gone' }] as const) {
      script.play(reply);
      printed.push(await printedFailureOf(paydesk.cards.list()));
      printed.push(await printedFailureOf(paydesk.operator.seller.get()));
    }
    const misread: PaydeskOptions[] = [
      { url: script.url, accessToken: `${TOKEN}\n` },
      { url: script.url, accessToken: () => `${TOKEN}é` },
    ];
    for (const options of misread) printed.push(await printedFailureOf(createPaydesk(options).cards.list()));
    expect(printed.join('\n')).toContain('is not a text that a header can carry');
    expect(printed.filter((text) => text.includes('secret'))).toEqual([]);
  });
});

describe('the address of the service', () => {
  it('can have a path, and a slash at its end', async () => {
    script.play({ status: 200, body: [] });
    await createPaydesk({ url: `${script.url}/billing/`, accessToken: TOKEN }).cards.list();
    expect(script.asked[0]?.path).toBe('/billing/payments/cards');
  });

  it.each(['billing.example.com', 'ftp://billing.example.com', 'https://billing.example.com/?a=b', ''])(
    '%j is rejected at once',
    (url) => {
      expect(() => createPaydesk({ url })).toThrow('must be an address such as');
    },
  );

  it('with a password is rejected with a message that does not contain it', () => {
    expect(() => createPaydesk({ url: 'https://ada:secret@billing.example.com' })).toThrow(
      /^[^:]+hold no user and no password.$/,
    );
  });
});

describe('text in a path or a query', () => {
  it('is escaped so that it can’t change the path', async () => {
    script.play({ status: 200, body: {} });
    const paydesk = createPaydesk({ url: script.url, accessToken: TOKEN });
    await paydesk.labels.get('a/../b?c');
    expect(script.asked[0]?.path).toBe('/labels/a%2F..%2Fb%3Fc');
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      await expect(paydesk.labels.get(id)).rejects.toThrow('The label id of /labels/{label_id} must be an id.');
    }
    await expect(paydesk.invoices.pay('a', { idempotencyKey: 'ä' })).rejects.toThrow('printable ASCII');
    expect(script.asked).toHaveLength(1);
  });
});
