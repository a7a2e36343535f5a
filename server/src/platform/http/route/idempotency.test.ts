import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CARDS, expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import type { Answer } from '../../../../test/harness/request.ts';
import {
  type ChargeService,
  capturesOf,
  paymentOf,
  preparePayable,
  settleAll,
  startChargeService,
} from '../../../../test/payments/charge.ts';
import { delayNext, outcomeIsAwaited } from '../../../../test/payments/delays.ts';
import { APPLICATION_ROLE } from '../../database/pool.ts';

let service: ChargeService;
beforeAll(async () => {
  service = await startChargeService();
});
afterAll(async () => service?.stop());

const newKey = () => ({ headers: { 'idempotency-key': randomUUID() } });
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

describe('a key does not keep a temporary answer', () => {
  it('409 payment_under_review: once the review has ended, the same key pays', async () => {
    const payable = await preparePayable(service);
    const key = newKey();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'captures_another_amount' });
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await payable.pay(key);
      expect([answer.status, answer.body.error.code, isReplayed(answer)]).toEqual([409, 'payment_under_review', false]);
    }
    const { id, gatewayPaymentId } = await paymentOf(service, payable);
    const amountMinor = 4_801n;
    await service.gateway.refundPayment({
      idempotencyKey: id,
      gatewayPaymentId: gatewayPaymentId ?? '',
      amountMinor,
      reference: id,
    });
    await service.database.owner`UPDATE payments SET state = 'failed', failure_reason = 'canceled' WHERE id = ${id}`;
    expect(await payable.pay(key)).toMatchObject({ status: 200, body: { status: 'Succeeded' } });
    expect(isReplayed(await payable.pay(key))).toBe(true);
  });

  it('503 of an unreachable gateway: the same key pays when it is back', async () => {
    const payable = await preparePayable(service);
    const key = newKey();
    await service.takeGatewayAway();
    const refused = await payable.pay(key).finally(() => service.bringGatewayBack());
    expect([refused.status, isReplayed(refused)]).toEqual([503, false]);
    const paid = await payable.pay(key);
    expect([paid.status, isReplayed(paid)]).toEqual([200, false]);
  });

  it('202: the same key gets the outcome once there is one', async () => {
    const payable = await preparePayable(service);
    const key = newKey();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'answer_lost_after_effect' });
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await payable.pay(key);
      expect([answer.status, isReplayed(answer)]).toEqual([202, false]);
    }
    await settleAll(service);
    const paid = await payable.pay(key);
    expect([paid.status, isReplayed(paid)]).toEqual([200, false]);
  });
});

describe('a key keeps the result of the work', () => {
  it.each([
    ['402 card_declined', CARDS.lost, 'card_declined'],
    ['402 payment_method_required', null, 'payment_method_required'],
  ])('%s', async (_name, cardNumber, code) => {
    const payable = await preparePayable(service, cardNumber === null ? {} : { cardNumber });
    const { companyId } = payable.admin;
    if (cardNumber === null)
      await service.database.owner`UPDATE cards SET deleted_at = now() WHERE company_id = ${companyId}`;
    const key = newKey();
    const first = await payable.pay(key);
    const second = await payable.pay(key);
    expect([first.body.error.code, second.body.error.code]).toEqual([code, code]);
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
  });
});

describe('a path', () => {
  it('is the same however it is encoded: a key covers all spellings', async () => {
    const { token } = await signUpAdmin(service);
    const { headers } = newKey();
    const create = (path: string) => service.call('POST', path, { token, headers, body: { city: 'London' } });
    const first = expectStatus(await create('/payments/addresses'), 201);
    const second = expectStatus(await create('/payments/%61ddresses?'), 201);
    expect([second.body.id, isReplayed(second)]).toEqual([first.body.id, true]);
  });
});

describe('a replayed error', () => {
  it('has the id of the new request, as X-Request-Id does; the rest is as it was', async () => {
    const payable = await preparePayable(service, { cardNumber: CARDS.insufficientFunds });
    const { headers } = newKey();
    const first = await payable.pay({ headers: { ...headers, 'x-request-id': 'the-first' } });
    const second = await payable.pay({ headers: { ...headers, 'x-request-id': 'the-second' } });
    expect([first.status, second.status, isReplayed(second)]).toEqual([402, 402, true]);
    expect([first.body.error.requestId, second.body.error.requestId]).toEqual(['the-first', 'the-second']);
    expect(second.headers.get('x-request-id')).toBe('the-second');
    expect(second.text).toBe(first.text.replace('the-first', 'the-second'));
  });

  it('works for a create too', async () => {
    const { token } = await signUpAdmin(service);
    const body = { name: 'Taken', description: 'd', color: '#fff', userName: 'Ada' };
    expectStatus(await service.call('POST', '/labels', { token, body }), 201);
    const key = newKey();
    const answers = [1, 2].map(() => service.call('POST', '/labels', { token, body, ...key }));
    for (const answer of [
      ...(await Promise.all(answers)),
      await service.call('POST', '/labels', { token, body, ...key }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'));
    }
  });
});

describe('a key whose request is still running', () => {
  const lockedOf = async (key: { headers: { 'idempotency-key': string } }) => {
    const [row] = await service.database.owner<[{ isLocked: boolean; isRenewed: boolean }?]>`
      SELECT locked_until > now() AS "isLocked", locked_until - created_at > interval '6 seconds' AS "isRenewed"
      FROM idempotency_keys WHERE key = ${key.headers['idempotency-key']} AND status IS NULL`;
    return row;
  };

  it('stays in use as long as that takes, however slow the gateway is: 409 with Retry-After', async () => {
    const payable = await preparePayable(service);
    const key = newKey();
    await service.sandbox.armFault({ operation: 'confirm', kind: 'hang_before_effect' });
    const paying = payable.pay(key);
    await expect.poll(() => lockedOf(key)).toMatchObject({ isLocked: true });
    await expect.poll(() => lockedOf(key)).toEqual({ isLocked: true, isRenewed: true });
    const repeated = await payable.pay(key);
    expect([repeated.status, repeated.body.error.code]).toEqual([409, 'idempotency_key_in_use']);
    expect(repeated.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await paying).status).toBe(202);
    expect(await lockedOf(key)).toBeUndefined();
    await settleAll(service);
    expect((await payable.pay(key)).status).toBe(200);
  });

  /** A pay that the gateway delays; `lock` sets until when its key is locked. */
  const paySlowly = async () => {
    const payable = await preparePayable(service);
    const key = newKey();
    const confirmation = await delayNext(service, 'confirm');
    const paying = payable.pay(key);
    await confirmation.arrived();
    const lock = (ahead: string) => service.database.owner`
      UPDATE idempotency_keys SET locked_until = now() + ${ahead}::interval WHERE key = ${key.headers['idempotency-key']}`;
    return { payable, key, paying, lock, answer: confirmation.end };
  };

  /** No process renews its key until the end of the test. */
  const preventRenewal = async () => {
    const { owner } = service.database;
    await owner.unsafe(`
      CREATE FUNCTION keep_as_it_is() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER prevent_renewal BEFORE UPDATE ON idempotency_keys FOR EACH ROW
        WHEN (current_user = '${APPLICATION_ROLE}' AND new.created_at = old.created_at AND new.status IS NULL)
        EXECUTE FUNCTION keep_as_it_is()`);
    onTestFinished(async () => void (await owner.unsafe('DROP FUNCTION keep_as_it_is() CASCADE')));
  };

  it.each([
    ['when its process has not renewed it in time', '-1 second'],
    ['when the clock of the database was set back since', '1 day'],
  ])('is taken over, with the same request only, %s', async (_name, ahead) => {
    const { payable, key, paying, lock, answer } = await paySlowly();
    await preventRenewal();
    await lock(ahead);
    const other = await payable.pay({ ...key, body: { another: 'body' } });
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    const repeating = payable.pay(key);
    await outcomeIsAwaited(service);
    await answer();
    const [first, second] = await Promise.all([paying, repeating]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.paymentId).toBe(first.body.paymentId);
    expect(await capturesOf(service, payable)).toHaveLength(1);
  });

  it('is in use for a request that came first and whose transaction began last', async () => {
    const { payable, key, paying, lock, answer } = await paySlowly();
    await lock('10 seconds');
    expect((await payable.pay(key)).body.error.code).toBe('idempotency_key_in_use');
    await answer();
    expect((await paying).status).toBe(200);
  });
});
