import { randomUUID } from 'node:crypto';
import type { Named, RouteCases } from '../../../test/battery/battery.ts';
import { ANY_SESSION } from '../../../test/battery/cases/query-values.ts';

/** A session beside the one of the actor's token. */
const SESSION: Named = {
  table: 'sessions',
  make: async ({ database }, { userId }) => {
    const id = randomUUID();
    await database.owner`
      INSERT INTO sessions (id, user_id, expires_at) VALUES (${id}, ${userId}, now() + interval '1 hour')`;
    return id;
  },
};

export const CASES: RouteCases = {
  'POST /auth/refresh': {
    access: 'public',
    sampleRefusal: /^401 /,
    body: ({ admin }) => ({ refresh_token: admin.refreshToken }),
    parameters: { session: ANY_SESSION },
    longTexts: { refresh_token: 2_000 },
  },
  'POST /auth/logout': { access: 'user', parameters: { session: ANY_SESSION } },
  'GET /auth/sessions': { access: 'user' },
  'DELETE /auth/sessions': {
    access: 'user',
    prepare: async ({ service, admin }) => void (await SESSION.make(service, admin)),
  },
  'DELETE /auth/sessions/:session_id': { access: 'user', sampleRefusal: /^404 .*session/, names: SESSION },
};
