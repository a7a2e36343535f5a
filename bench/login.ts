import { hash, verify } from '@node-rs/argon2';
import { load } from './load.ts';
import { median, type Row } from './report.ts';
import { PASSWORD, seedCompany } from './seed.ts';
import type { Setting } from './setting.ts';

const CALLERS = 4;

/** Verifications a second in bare Node, as many at a time as its thread pool takes. */
async function verifyAlone(passwordHash: string, seconds: number): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let verified = 0;
  const caller = async () => {
    while (performance.now() < endMs) {
      await verify(passwordHash, PASSWORD);
      verified += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return verified / seconds;
}

/** `POST /auth/local` against argon2id alone. */
export async function benchLogin(setting: Setting): Promise<Row[]> {
  const { email } = await seedCompany(setting);
  const passwordHash = await hash(PASSWORD, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const target = {
    url: `${setting.serviceUrl}/auth/local`,
    method: 'POST',
    body: JSON.stringify({ email, password: PASSWORD }),
  } as const;
  const ratios: number[] = [];
  let detail = '';
  for (let round = 0; round < setting.rounds; round += 1) {
    const alone = await verifyAlone(passwordHash, setting.seconds);
    const logins = await load(target, setting.seconds);
    ratios.push(logins.perSecond / alone);
    detail = `${logins.perSecond.toFixed(0)} logins/s; ${alone.toFixed(0)} verifications/s in bare Node`;
  }
  return [{ name: 'POST /auth/local', ratio: median(ratios), bound: '≥', limit: 0.9, detail }];
}
