import { randomUUID } from 'node:crypto';
import type { Named, RouteCases } from '../../../../test/battery/battery.ts';
import { PASSWORD } from '../../../../test/customers/actors.ts';

const LINK: Named = {
  table: 'sign_in_links',
  make: async ({ database }, { userId }) => {
    const id = randomUUID();
    await database.owner`
      INSERT INTO sign_in_links (id, issuer, subject, user_id) VALUES (${id}, ${`https://${id}.example.com`}, 'ada', ${userId})`;
    return id;
  },
};

const AGAIN = { password: PASSWORD };

export const CASES: RouteCases = {
  'GET /auth/links': { access: 'user' },
  // A provider that there is not.
  'POST /auth/links': {
    access: 'user',
    sampleRefusal: /^404 .*provider/,
    body: () => ({ provider: 'nobody', ...AGAIN }),
    refusal: { status: 404, code: 'not_found' },
  },
  'DELETE /auth/links/:link_id': { access: 'user', body: () => AGAIN, names: LINK },
};
