import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { type Actor, expectStatus, signUpAdmin } from './actors.ts';

export type IdempotentCreate = {
  service: () => TestService;
  path: string;
  /** A body that the route accepts, made unique by the mark. */
  makeBody: (actor: Actor, mark: string) => Promise<object>;
  /** Fields that make such a body invalid. */
  invalidFields: object;
  countRows: (actor: Actor) => Promise<number>;
};

/** Tests the promises of `Idempotency-Key` on a create. */
export function describeIdempotentCreate(create: IdempotentCreate): void {
  const { path, makeBody, countRows, invalidFields } = create;
  const post = (actor: Actor, key: string, body: object): Promise<Answer> =>
    create.service().call('POST', path, { token: actor.token, body, headers: { 'idempotency-key': key } });
  const newAdmin = () => signUpAdmin(create.service());

  // Security (Methods, media types and idempotency keys): Idempotency keys on creates work: repeats, another body, a running request,
  // another company, a key that is too long
  describe(`Idempotency-Key on POST ${path}`, () => {
    it('replays status and body with Idempotent-Replayed: true, and creates one row only', async () => {
      const admin = await newAdmin();
      const body = await makeBody(admin, 'once');
      const first = expectStatus(await post(admin, 'a key', body), 201);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      for (let repeat = 1; repeat <= 2; repeat += 1) {
        const replayed = await post(admin, 'a key', body);
        expect(replayed.status).toBe(201);
        expect(replayed.text).toBe(first.text);
        expect(replayed.headers.get('content-type')).toBe(first.headers.get('content-type'));
        expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      }
      expect(await countRows(admin)).toBe(1);
    });

    it('refuses the key with another body: 422 idempotency_key_reused, and no second row', async () => {
      const admin = await newAdmin();
      expectStatus(await post(admin, 'k', await makeBody(admin, 'first')), 201);
      const reused = await post(admin, 'k', await makeBody(admin, 'second'));
      expect([reused.status, reused.body.error.code]).toEqual([422, 'idempotency_key_reused']);
      expect(reused.headers.get('idempotent-replayed')).toBeNull();
      expect(await countRows(admin)).toBe(1);
    });

    it('accepts a key of 255 characters, and answers 400 to one of 256 and to an empty one', async () => {
      const admin = await newAdmin();
      const body = await makeBody(admin, 'long');
      for (const key of ['k'.repeat(256), '']) {
        const refused = await post(admin, key, body);
        expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
      }
      expect(await countRows(admin)).toBe(0);
      expectStatus(await post(admin, 'k'.repeat(255), body), 201);
      expect((await post(admin, 'k'.repeat(255), body)).headers.get('idempotent-replayed')).toBe('true');
    });

    it("does not affect another company's request with the same key", async () => {
      const [one, two] = [await newAdmin(), await newAdmin()];
      const first = expectStatus(await post(one, 'shared', await makeBody(one, 'shared')), 201);
      const second = expectStatus(await post(two, 'shared', await makeBody(two, 'shared')), 201);
      expect(second.headers.get('idempotent-replayed')).toBeNull();
      expect(second.body.companyId).toBe(two.companyId);
      expect(second.body.id).not.toBe(first.body.id);
      expect([await countRows(one), await countRows(two)]).toEqual([1, 1]);
    });

    it('does not keep a failed validation: the corrected body succeeds with the same key', async () => {
      const admin = await newAdmin();
      const body = await makeBody(admin, 'corrected');
      expectStatus(await post(admin, 'k', { ...body, ...invalidFields }), 400);
      const corrected = expectStatus(await post(admin, 'k', body), 201);
      expect(corrected.headers.get('idempotent-replayed')).toBeNull();
    });

    it('creates one row for 20 parallel requests with one key: each is answered 201 with the same body, or 409', async () => {
      const admin = await newAdmin();
      const body = await makeBody(admin, 'parallel');
      const key = randomUUID();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(admin, key, body)));
      const created = answers.filter(({ status }) => status === 201);
      const others = answers.filter(({ status }) => status !== 201);
      expect(created.length).toBeGreaterThan(0);
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      expect(created.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
      for (const { status, body: refusal, headers } of others) {
        expect([status, refusal.error.code]).toEqual([409, 'idempotency_key_in_use']);
        expect(headers.get('retry-after')).not.toBeNull();
      }
      expect(await countRows(admin)).toBe(1);
    });

    it('keeps the answer for 24 hours', async () => {
      const admin = await newAdmin();
      const body = await makeBody(admin, 'old');
      const first = expectStatus(await post(admin, 'k', body), 201);
      const age = (interval: string) => create.service().database.owner`
        UPDATE idempotency_keys SET created_at = now() - ${interval}::interval WHERE company_id = ${admin.companyId}`;
      await age('23 hours 59 minutes');
      expect((await post(admin, 'k', body)).text).toBe(first.text);
      await age('24 hours 1 minute');
      expect((await post(admin, 'k', body)).headers.get('idempotent-replayed')).toBeNull();
    });
  });
}
