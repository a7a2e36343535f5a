import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../../test/battery/battery.ts';
import { expectStatus, PASSWORD } from '../../../test/customers/actors.ts';
import { createClock } from '../../../test/customers/second-factors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { createKey } from '../../../test/identity/operator-keys.ts';
import { acceptStaff, addStaff, inviteStaff } from '../../../test/identity/staff.ts';
import { mailsTo, tokenIn } from '../../../test/mail/mails.ts';
import { ensureOperatorKey } from '../operators/operators.service.ts';

const clock = createClock();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: clock.clock });
});
afterAll(() => service?.stop());

const call = (token: string, method: string, path: string, body?: object) =>
  service.call(method, path, { token, ...(body && { body }) });
const asFirst = (method: string, path: string, body?: object) => call(service.operatorKey, method, path, body);

/** Invites as somebody. @returns the id and the address */
async function inviteAs(token: string, role = 'admin') {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id } = expectStatus(await call(token, 'POST', '/operator/staff', { email, role }), 201).body;
  return { id, email };
}

async function expectRefused({ id, email }: { id: string; email: string }) {
  const [mail] = await mailsTo(service, email);
  const body = { token: tokenIn(mail.text), first_name: 'Ada', last_name: 'Lovelace', password: PASSWORD };
  expectRefusal(await service.call('POST', '/auth/invitations/accept', { body }), 403, 'permission_not_held');
  expectRefusal(await asFirst('POST', `/operator/staff/${id}/resend`), 403, 'permission_not_held');
  expect(await mailsTo(service, email)).toHaveLength(1);
}

describe('an invitation to the staff is refused', () => {
  // Security (Accounts and permissions): An invitation to the staff works only while whoever sent it is an admin
  it.each(['viewer', 'finance'])(
    'once the admin who has sent it is %s, and works if they are one again',
    async (role) => {
      const admin = await addStaff(service, clock, 'admin');
      const invited = await inviteAs(admin.token);
      expectStatus(await asFirst('PUT', `/operator/staff/${admin.userId}`, { role }), 200);
      await expectRefused(invited);
      expectStatus(await asFirst('PUT', `/operator/staff/${admin.userId}`, { role: 'admin' }), 200);
      await acceptStaff(service, invited.email);
    },
  );

  it('once the admin who has sent it is removed', async () => {
    const admin = await addStaff(service, clock, 'admin');
    const invited = await inviteAs(admin.token, 'viewer');
    expectStatus(await asFirst('DELETE', `/operator/staff/${admin.userId}`), 204);
    await expectRefused(invited);
    expectStatus(await asFirst('DELETE', `/operator/staff/${invited.id}`), 204);
    const { email } = await inviteStaff(service, { email: invited.email });
    await acceptStaff(service, email);
  });

  it('once the operator key that has sent it is deleted or has expired', async () => {
    const deleted = await createKey(service, { role: 'admin' });
    const expired = await createKey(service, { role: 'admin', expiresAt: '2099-01-01T00:00:00Z' });
    const invited = [await inviteAs(deleted.key), await inviteAs(expired.key)] as const;
    expectStatus(await asFirst('DELETE', `/operator/keys/${deleted.id}`), 204);
    await service.database.owner`UPDATE operator_keys SET expires_at = now() WHERE id = ${expired.id}`;
    for (const one of invited) await expectRefused(one);
  });

  it('once the one who has widened it is no admin any more', async () => {
    const admin = await addStaff(service, clock, 'admin');
    const invited = await inviteStaff(service, { role: 'viewer' });
    expectStatus(await call(admin.token, 'PUT', `/operator/staff/${invited.id}`, { role: 'admin' }), 200);
    expectStatus(await asFirst('PUT', `/operator/staff/${admin.userId}`, { role: 'viewer' }), 200);
    await expectRefused(invited);
  });

  it('once the first key that has sent it was replaced', async () => {
    const invited = await inviteStaff(service, { role: 'admin' });
    // What a restart with another OPERATOR_KEY does.
    service.operatorKey = `opk_${randomBytes(32).toString('base64url')}`;
    await ensureOperatorKey(service.database.db, '', service.operatorKey);
    await expectRefused(invited);
  });
});
