import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal, fillPath, routesWhere, splitRoute } from '../../../test/battery/battery.ts';
import { newEmail } from '../../../test/customers/accounts.ts';
import { type Actor, expectStatus, PASSWORD, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createApiKey } from '../../../test/identity/api-keys.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';

const label = () => ({ name: crypto.randomUUID(), description: 'Any', color: '#ff8800', userName: 'Ada' });

let service: TestService;
let unverified: Actor;
beforeAll(async () => {
  service = await startTestService({ requireVerifiedEmail: true });
  unverified = await signUpAdmin(service);
});
afterAll(() => service?.stop());

const createLabel = ({ token }: Actor) => service.call('POST', '/labels', { token, body: label() });

async function follow(email: string): Promise<void> {
  const [mail] = await mailsTo(service, email);
  expectStatus(await service.call('POST', '/auth/email/verify', { body: { token: tokenIn(mail.text) } }), 204);
}

// Without what ends the session of all others.
const routes = routesWhere(({ access }) => access !== 'public' && access !== 'operator')
  .map(([route]) => route)
  .filter((route) => route !== 'POST /auth/logout');

describe('with REQUIRE_VERIFIED_EMAIL, a user with an unverified address', () => {
  it.each(routes)('reads, and changes what is under /auth alone: %s', async (route) => {
    const { method, url } = splitRoute(route);
    const body = method === 'GET' ? {} : { body: {} };
    const answer = await service.call(method, fillPath(url), { token: unverified.token, ...body });
    if (method === 'GET' || url.startsWith('/auth/')) expect([200, 202, 204, 400, 404]).toContain(answer.status);
    else expectRefusal(answer, 403, 'email_not_verified');
  });

  it('may do everything from the answer on that verifies it', async () => {
    const admin = await signUpAdmin(service);
    expectRefusal(await createLabel(admin), 403, 'email_not_verified');
    await follow(admin.email);
    expectStatus(await createLabel(admin), 201);
  });

  it('may do no more with an API key, whose creator counts', async () => {
    const admin = await signUpAdmin(service);
    await follow(admin.email);
    const { key } = await createApiKey(service, admin);
    await service.database.owner`UPDATE users SET email_verified_at = NULL WHERE id = ${admin.userId}`;
    expectRefusal(await createLabel({ ...admin, token: key }), 403, 'email_not_verified');
    expectStatus(await service.call('GET', '/labels', { token: key }), 200);
  });

  it('verifies it by changing it too', async () => {
    const admin = await signUpAdmin(service);
    const email = newEmail();
    const body = { email, password: PASSWORD };
    expectStatus(await service.call('PUT', '/auth/email', { token: admin.token, body }), 202);
    expectRefusal(await createLabel(admin), 403, 'email_not_verified');
    await follow(email);
    expectStatus(await createLabel(admin), 201);
  });
});

it('without it, an unverified user may do everything', async () => {
  const open = await startTestService();
  const { token } = await signUpAdmin(open);
  expectStatus(await open.call('POST', '/labels', { token, body: label() }), 201);
  await open.stop();
});
