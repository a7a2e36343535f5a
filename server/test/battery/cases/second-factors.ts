import { randomUUID } from 'node:crypto';
import { type Actor, PASSWORD } from '../../customers/actors.ts';
import { makePasskey, usePasskey } from '../../customers/authenticator.ts';
import type { TestService } from '../../harness/service.ts';

/** A passkey whose key nobody has. */
const PASSKEY = {
  table: 'passkeys',
  make: async ({ database }: TestService, { userId }: Actor): Promise<string> => {
    const id = randomUUID();
    await database.owner`
      INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, backup_eligible, backed_up)
      VALUES (${id}, ${userId}, 'Phone', ${Buffer.from(id)}, '', 0, '[]', true, true)`;
    return id;
  },
};

const user = 'user' as const;
const publicly = 'public' as const;

const CODE = { code: '000000' };
const WRONG_CODE = { status: 401, code: 'invalid_code', isFailedLogin: true as const };
const AGAIN = { password: PASSWORD };

/** A challenge that the service has not given. */
const OPTIONS = {
  rp: { id: 'localhost' },
  rpId: 'localhost',
  user: { id: 'AAAAAAAAAAAAAAAAAAAAAA' },
  challenge: 'A'.repeat(43),
};
const ORIGIN = 'http://localhost:3000';
const { device, passkey } = makePasskey(ORIGIN, OPTIONS);
const used = { passkey: usePasskey(ORIGIN, device, OPTIONS) };

/** The battery's cases of second factors and passkeys. */
export const SECOND_FACTOR_CASES = {
  'POST /auth/local/second-factor': {
    access: publicly,
    body: () => ({ token: 'a'.repeat(43), ...used }),
    refusal: { status: 401, code: 'invalid_token' },
  },
  'POST /auth/totp': { access: user, body: () => AGAIN },
  'POST /auth/totp/confirm': { access: user, body: () => CODE, refusal: WRONG_CODE },
  'DELETE /auth/totp': { access: user, body: () => ({ ...AGAIN, ...CODE }), refusal: WRONG_CODE },
  'POST /auth/recovery-codes': { access: user, body: () => CODE, refusal: WRONG_CODE },
  'POST /auth/passkeys/options': { access: user, body: () => AGAIN },
  'POST /auth/passkeys': {
    access: user,
    body: () => ({ name: 'Phone', passkey }),
    refusal: { status: 400, code: 'invalid_passkey' },
  },
  'GET /auth/passkeys': { access: user },
  'PUT /auth/passkeys/:passkey_id': { access: user, body: () => ({ name: 'Laptop' }), names: PASSKEY },
  'DELETE /auth/passkeys/:passkey_id': { access: user, body: () => AGAIN, names: PASSKEY },
  'POST /auth/passkeys/login/options': { access: publicly },
  'POST /auth/passkeys/login': {
    access: publicly,
    body: () => used,
    refusal: { status: 401, code: 'invalid_credentials' },
  },
};
