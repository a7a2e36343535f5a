import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, expectStatus, signUpAdmin, signUpCustomer } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service?.stop());

const verify = (token: string) => service.call('POST', '/auth/email/verify', { body: { token } });
const resend = async ({ token }: Actor) =>
  expectStatus(await service.call('POST', '/auth/email/verification', { token }), 202).body;
const tokensOf = async ({ email }: Actor) => (await mailsTo(service, email)).map(({ text }) => tokenIn(text));

async function expectInvalid(token: string): Promise<void> {
  expect(expectStatus(await verify(token), 400).body.error.code).toBe('invalid_token');
}

// Security (Mails): The link of a sign-up verifies its address once
it.each([
  ['admin', signUpAdmin],
  ['customer', signUpCustomer],
])('the sign-up of %s sends a link that verifies the address once', async (_kind, signUp) => {
  const actor = await signUp(service);
  const [token = ''] = await tokensOf(actor);
  expectStatus(await verify(token), 204);
  await expectInvalid(token);
  expect(await resend(actor)).toEqual({ error: null, data: null });
  expect(await tokensOf(actor)).toHaveLength(1);
});

it('the audit log says who has verified an e-mail', async () => {
  const actor = await signUpAdmin(service);
  const [token = ''] = await tokensOf(actor);
  expectStatus(await verify(token), 204);
  const { data } = expectStatus(await service.call('GET', '/company/audit-log', { token: actor.token }), 200).body;
  expect(data[0]).toMatchObject({
    action: 'user.email_verified',
    actor: { kind: 'user', id: actor.userId },
    target: { kind: 'user', id: actor.userId, name: actor.email },
    changes: { before: { email_verified: false }, after: { email_verified: true } },
  });
});

// Security (Mails): A newer link that verifies an address replaces the one before
it('a link that is sent again replaces the one before', async () => {
  const actor = await signUpAdmin(service);
  await resend(actor);
  const [newest = '', first = ''] = await tokensOf(actor);
  await expectInvalid(first);
  expectStatus(await verify(newest), 204);
});

// Security (Mails): Nobody is flooded with verifications
it('an address gets five verifications within an hour at most, and the answer stays the same', async () => {
  const actor = await signUpAdmin(service);
  const answers = [];
  for (let time = 1; time <= 8; time += 1) answers.push(await resend(actor));
  expect(answers).toEqual(Array(8).fill({ error: null, data: null }));
  expect(await tokensOf(actor)).toHaveLength(5);
});

// Security (Mails): A link that verifies an address expires
it('a link works for three days', async () => {
  const actor = await signUpAdmin(service);
  const [token = ''] = await tokensOf(actor);
  const pass = (interval: string) => service.database.owner`
    UPDATE email_tokens SET expires_at = expires_at - ${interval}::interval WHERE user_id = ${actor.userId}`;
  await pass('71 hours 59 minutes');
  const [row] = await service.database
    .owner`SELECT expires_at > now() AS works FROM email_tokens WHERE user_id = ${actor.userId}`;
  expect(row?.works).toBe(true);
  await pass('2 minutes');
  await expectInvalid(token);
});

// Security (Mails): A link verifies only the address that it was sent to
it('a link does not verify another address that the user has since', async () => {
  const actor = await signUpAdmin(service);
  const [token = ''] = await tokensOf(actor);
  const other = `other-${actor.email}`;
  await service.database.owner`UPDATE users SET email = ${other}, email_key = ${other} WHERE id = ${actor.userId}`;
  await expectInvalid(token);
});

it.each(['', 'x', 'a'.repeat(43), 'ä'.repeat(255)])('a token that is none is 400: %j', expectInvalid);
