import { Agent } from 'node:http';
import { compare, describe, rateOf, send } from './load.ts';
import { median, type Row } from './report.ts';
import { bearer, type Company, PASSWORD, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const CALLERS = 32;
const REFRESHES_OF_A_CALLER = 200;

/** A request with a token against bare SQL, and `POST /auth/refresh` against an update of one row. */
export async function benchAccess(setting: Setting): Promise<Row[]> {
  const company = await seedCompany(setting);
  await seedSessions(setting, company);
  return [await benchToken(setting, company), await benchRefresh(setting, company)];
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
