import { randomUUID } from 'node:crypto';
import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { PASSWORD } from '../../../test/customers/actors.ts';
import { PASSKEY_TEXTS, unknownPasskey } from '../../../test/identity/passkey-bodies.ts';

/** A passkey whose key nobody has. */
const PASSKEY: Named = {
  table: 'passkeys',
  make: async ({ database }, { userId }) => {
    const id = randomUUID();
    await database.owner`
      INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, backup_eligible, backed_up)
      VALUES (${id}, ${userId}, 'Phone', ${Buffer.from(id)}, '', 0, '[]', true, true)`;
    return id;
  },
};

const AGAIN = { password: PASSWORD };

export const CASES: RouteCases = {
  'POST /auth/passkeys/options': { access: 'user', body: () => AGAIN },
  'POST /auth/passkeys': {
    access: 'user',
    sampleRefusal: /^400 .*passkey/,
    body: () => ({ name: 'Phone', passkey: unknownPasskey.made }),
    refusal: { status: 400, code: 'invalid_passkey' },
    longTexts: PASSKEY_TEXTS.made,
    // A passkey needs a challenge of its own.
    limit: { testedIn: 'server/src/identity/passkeys/passkeys.test.ts' },
  },
  'GET /auth/passkeys': { access: 'user' },
  'PUT /auth/passkeys/:passkey_id': { access: 'user', body: () => ({ name: 'Laptop' }), names: PASSKEY },
  'DELETE /auth/passkeys/:passkey_id': { access: 'user', body: () => AGAIN, names: PASSKEY },
};
