import { Agent } from 'node:http';
import { SYSTEM_ROLES } from '../server/src/platform/permissions.ts';
import { compare, describe, rateOf, send } from './load.ts';
import { median, type Row } from './report.ts';
import { bearer, type Company, connectClient, PASSWORD, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const CALLERS = 32;
const REFRESHES_OF_A_CALLER = 200;

/** A request with a token against bare SQL, with other credentials against that, and `POST /auth/refresh` against an update of one row. */
export async function benchAccess(setting: Setting): Promise<Row[]> {
  const company = await seedCompany(setting);
  await seedSessions(setting, company);
  const others = [
    ['with an API key', await createApiKey(setting, company)],
    ['of a member with a role of the company', (await seedMember(setting)).token],
  ] as const;
  const rows = [await benchToken(setting, company)];
  for (const [whose, credential] of others) rows.push(await benchCredential(setting, company, { whose, credential }));
  return [...rows, await benchRefresh(setting, company)];
}

/** As many sessions as a service has: in a table of one page, PostgreSQL would read all rows instead of the index. */
async function seedSessions({ owner }: Setting, { userId }: Company): Promise<void> {
  await owner`
    INSERT INTO sessions (id, user_id, expires_at)
    SELECT gen_random_uuid(), ${userId}, now() + interval '1 day' FROM generate_series(1, 100000)`;
  await owner`VACUUM ANALYZE sessions`;
}

/** What a token costs shows in the figures before and after a change of its check; the ratio has all else that a request does too. */
async function benchToken({ serviceUrl, floorUrl, rounds, seconds }: Setting, company: Company): Promise<Row> {
  const result = await compare(
    { url: `${serviceUrl}/payments/addresses`, headers: bearer(company) },
    { url: `${floorUrl}/addresses?company=${company.companyId}` },
    rounds,
    seconds,
  );
  const name = 'GET /payments/addresses with a token';
  return { name, ratio: result.throughputRatio, bound: '≥', limit: 0.4, detail: describe(result) };
}

/** The same request with another credential, against the token of an admin. */
async function benchCredential(
  { serviceUrl, rounds, seconds }: Setting,
  company: Company,
  { whose, credential }: { whose: string; credential: string },
): Promise<Row> {
  const url = `${serviceUrl}/payments/addresses`;
  const headers = { authorization: `Bearer ${credential}` };
  const result = await compare({ url, headers }, { url, headers: bearer(company) }, rounds, seconds);
  const name = `the same ${whose}, against that`;
  return { name, ratio: result.throughputRatio, bound: '≥', limit: 0.9, detail: describe(result) };
}

async function createApiKey(setting: Setting, company: Company): Promise<string> {
  const { permission } = SYSTEM_ROLES.Admin;
  const { key = '' } = await connectClient(setting, company).company.apiKeys.create({ name: 'Bench', permission });
  return key;
}

/** Of a company of their own, with a role that may do what an admin's does. */
async function seedMember(setting: Setting): Promise<Company> {
  const member = await seedCompany(setting);
  const { permission, description } = SYSTEM_ROLES.Admin;
  const role = await connectClient(setting, member).company.roles.create({ name: 'Bench', description, permission });
  await setting.owner`UPDATE users SET role = NULL, role_id = ${role.id} WHERE id = ${member.userId}`;
  return member;
}

type Login = { sessionId: string; refreshToken: string };

async function benchRefresh(setting: Setting, company: Company): Promise<Row> {
  const { serviceUrl, floorUrl, rounds } = setting;
  const agent = new Agent({ keepAlive: true });
  const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } };
  const post = async (address: string, body: string): Promise<string> => {
    const { status, text } = await send(address, options, body);
    if (status !== 200) throw new Error(`${address} answered ${status}: ${text}`);
    return text;
  };
  const logIn = async (): Promise<Login> => {
    const text = await post(`${serviceUrl}/auth/local`, JSON.stringify({ email: company.email, password: PASSWORD }));
    return readLogin(text);
  };
  const logins: Login[] = [];
  for (let caller = 0; caller < CALLERS; caller += 1) logins.push(await logIn());

  /** Each caller has a session of its own, whose tokens it uses one after the other. */
  const rate = async (once: (login: Login) => Promise<void>): Promise<number> => {
    const callers = await rateOf(logins, CALLERS, async (login) => {
      for (let count = 0; count < REFRESHES_OF_A_CALLER; count += 1) await once(login);
    });
    return callers * REFRESHES_OF_A_CALLER;
  };
  const refresh = async (login: Login) => {
    const text = await post(`${serviceUrl}/auth/refresh`, JSON.stringify({ refresh_token: login.refreshToken }));
    login.refreshToken = readLogin(text).refreshToken;
  };
  const update = async ({ sessionId }: Login) => {
    await post(`${floorUrl}/session?id=${sessionId}`, '{}');
  };

  await rate(update);
  const ratios: number[] = [];
  let detail = '';
  for (let round = 0; round < rounds; round += 1) {
    const [updates, refreshes] = [await rate(update), await rate(refresh)];
    ratios.push(refreshes / updates);
    detail = `${refreshes.toFixed(0)} refreshes/s; ${updates.toFixed(0)} updates of one row/s`;
  }
  agent.destroy();
  return { name: 'POST /auth/refresh', ratio: median(ratios), bound: '≥', limit: 0.7, detail };
}

function readLogin(text: string): Login {
  const { refresh_token: refreshToken } = (JSON.parse(text) as { data: { refresh_token: string } }).data;
  return { sessionId: refreshToken.slice(0, 36), refreshToken };
}
