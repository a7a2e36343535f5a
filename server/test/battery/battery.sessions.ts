import { randomUUID } from 'node:crypto';
import { type Actor, PASSWORD } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

/** A session beside the one of the actor's token. */
const SESSION = {
  table: 'sessions',
  make: async ({ database }: TestService, { userId }: Actor): Promise<string> => {
    const id = randomUUID();
    await database.owner`
      INSERT INTO sessions (id, user_id, expires_at) VALUES (${id}, ${userId}, now() + interval '1 hour')`;
    return id;
  },
};

const SIGN_UP = {
  access: 'public' as const,
  body: () => ({
    first_name: 'Grace',
    last_name: 'Hopper',
    email: `${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
  }),
};

/** The battery's cases of sign-ups, logins and sessions. */
export const SESSION_CASES = {
  'POST /auth/signup/admin': SIGN_UP,
  'POST /auth/signup/customer': SIGN_UP,
  'POST /auth/local': {
    access: 'public' as const,
    body: ({ admin }: { admin: Actor }) => ({ email: admin.email, password: PASSWORD }),
  },
  'GET /auth/me': { access: 'user' as const },
  'PUT /auth/me': {
    access: 'user' as const,
    body: () => ({
      first_name: 'Grace',
      last_name: 'Hopper',
      phone: '+1 555 0100',
      country: 'US',
      city: 'Arlington',
      avatar: 'https://cdn.example.com/grace.png',
      language: 'en-US',
      timezone: 'America/New_York',
      default_app: 'billing',
    }),
  },
  'POST /auth/refresh': {
    access: 'public' as const,
    body: ({ admin }: { admin: Actor }) => ({ refresh_token: admin.refreshToken }),
  },
  'POST /auth/logout': { access: 'user' as const },
  'GET /auth/sessions': { access: 'user' as const },
  'DELETE /auth/sessions': { access: 'user' as const },
  'DELETE /auth/sessions/:session_id': { access: 'user' as const, names: SESSION },
  // The admin is the only one of the company.
  'DELETE /auth/me': {
    access: 'user' as const,
    body: () => ({ password: PASSWORD }),
    // The company has no other admin.
    refusal: { status: 409, code: 'last_admin' },
  },
  'PUT /auth/password': {
    access: 'user' as const,
    body: () => ({ current_password: PASSWORD, new_password: PASSWORD }),
  },
};

const SESSION_FORM = {
  takes: ['cookie', 'console'],
  refuses: ['', 'x', 'Cookie', 'body', 'true', 'cookie,console', 'null', "cookie'", '__proto__'],
};

/** What the query of each route that answers or ends tokens takes and refuses. */
export const SESSION_PARAMETERS = Object.fromEntries(
  [
    'signup/admin',
    'signup/customer',
    'invitations/accept',
    'local',
    'local/second-factor',
    'passkeys/login',
    'refresh',
    'logout',
  ].map((path) => [`POST /auth/${path}`, { session: SESSION_FORM }]),
);
