import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pollUntil } from '../../test/customers/accounts.ts';
import { type Actor, expectStatus, signUpAdmin } from '../../test/customers/actors.ts';
import { seedLabels } from '../../test/customers/labels.ts';
import { startInProcess } from '../../test/harness/in-process.ts';
import { endProcesses } from '../../test/harness/process.ts';
import { startTestService, type TestService } from '../../test/harness/service.ts';
import { connectAsOwner } from '../platform/database/pool.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await endProcesses();
  await service.stop();
});

const LABEL = { description: 'Any', color: '#fff', userName: 'Ada' };

const create = ({ token }: Actor, name: string, on = service) =>
  on.call('POST', '/labels', { token, body: { ...LABEL, name } });
const search = async ({ token }: Actor, name: string, on = service) => {
  const { body } = expectStatus(
    await on.call('GET', `/labels?${new URLSearchParams({ name, per_page: '1000' })}`, { token }),
    200,
  );
  expect(body.total).toBe(body.data.length);
  return body.data.map((label: { name: string }) => label.name);
};

/** Spellings of one name, and a part of it in each spelling. */
const SPELLINGS: [names: string[], parts: string[]][] = [
  [
    ['Straßenfest', 'STRASSENFEST', 'strassenfest', 'STRAẞENFEST'],
    ['STRASSE', 'straße', 'Straẞe', 'ss', 'ß', 's', 'STRAS'],
  ],
  [
    ['ΟΔΟΣΑΣ', 'οδοσας', 'οδοσασ', 'Οδοςας'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ', 'ς', 'Σ', 'σα', 'ΣΑΣ', 'σας'],
  ],
  [
    ['ﬁnancial aﬀairs', 'FINANCIAL AFFAIRS', 'ﬁnancial affairs'],
    ['FIN', 'ﬁ', 'AFF', 'ﬀ', 'f'],
  ],
  [
    ['İstanbul Kadıköy', 'ISTANBUL KADIKÖY', 'istanbul kadiköy', 'i\u0307stanbul kadıköy'],
    ['İST', 'ist', 'kadık', 'KADIK', 'ı', 'I', 'İ'],
  ],
  [
    ['5 µs', '5 μs', '5 ΜS', '5 \u039cſ'],
    ['µ', 'μ', 'Μ', 'ſ', 's'],
  ],
  [
    ['\u212belvin \u212a', 'åelvin k', 'ÅELVIN K'],
    ['å', '\u212b', ' K', ' \u212a'],
  ],
  [
    ['ᾳδης', 'ΑΙΔΗΣ', 'αιδησ'],
    ['ᾳ', 'ᾼ', 'αι', 'ΙΔ'],
  ],
  [
    ['և', 'եւ', 'ԵՒ'],
    ['Ե', 'ւ', 'և'],
  ],
];

describe('names that differ only in case are one name, in every script', () => {
  it.each(SPELLINGS)('%j', async (names, parts) => {
    for (const name of names) {
      const admin = await signUpAdmin(service);
      expectStatus(await create(admin, name), 201);
      const other = expectStatus(await create(admin, 'another'), 201).body;
      for (const spelling of names) {
        const body = { name: spelling };
        for (const refused of [
          await create(admin, spelling),
          await service.call('PUT', `/labels/${other.id}`, { token: admin.token, body }),
        ]) {
          expect(expectStatus(refused, 409).body.error.code).toBe('label_name_taken');
        }
      }
      expectStatus(
        await service.call('DELETE', '/labels', { token: admin.token, body: { label_ids: [other.id] } }),
        204,
      );
      for (const part of [...names, ...parts]) expect(await search(admin, part), part).toEqual([name]);
    }
  });

  it('accents, width and composed letters are not folded', async () => {
    const admin = await signUpAdmin(service);
    const names = ['résumé', 'resume', 're\u0301sume\u0301', 'Ä', 'a', 'ａ', 'ae', 'æ', 'ö', 'o', 'oe', 'ø', 'б', 'b'];
    for (const name of names) expectStatus(await create(admin, name), 201);
    expect(await search(admin, 'RÉSUMÉ')).toEqual(['résumé']);
  });

  it('\\, % and _ match literally beside letters that fold to several', async () => {
    const admin = await signUpAdmin(service);
    const names = ['100%ß', '100xß', 'a_Σ', 'abΣ', 'a\\ﬀ', 'a/ﬀ', 'ß\\', 'ß%', 'ß_', 'İ%', 'İx'];
    for (const name of names) expectStatus(await create(admin, name), 201);
    expect(await search(admin, '%SS')).toEqual(['100%ß']);
    expect(await search(admin, 'A_ς')).toEqual(['a_Σ']);
    expect(await search(admin, '\\FF')).toEqual(['a\\ﬀ']);
    expect(await search(admin, 'ss\\')).toEqual(['ß\\']);
    expect(await search(admin, 'SS%')).toEqual(['ß%']);
    expect(await search(admin, 'ẞ_')).toEqual(['ß_']);
    expect(await search(admin, 'i%')).toEqual(['İ%']);
  });
});

describe('the search index', () => {
  it('is used for a search among many labels, however often it is repeated', async () => {
    const admin = await signUpAdmin(service);
    await seedLabels(service, admin, { count: 20_000, prefix: 'Kunde Straße' });
    await seedLabels(service, admin, { count: 20, prefix: 'Dringend ΟΔΟΣΑΣ' });
    const { owner } = service.database;
    await owner`VACUUM ANALYZE labels`;
    const readScans = async () => {
      const [row] = await owner<{ scans: number; rows: number }[]>`
        SELECT idx_scan::int AS scans, idx_tup_read::int AS rows FROM pg_stat_user_indexes WHERE indexrelname = 'labels_search'`;
      return row ?? { scans: 0, rows: 0 };
    };
    const before = await readScans();
    for (let time = 1; time <= 12; time += 1) {
      expect(await search(admin, `dRINGEND οδος`)).toHaveLength(20);
      // Another label invalidates the cached count, so that it is counted again.
      expectStatus(await create(admin, `Other ${time}`), 201);
    }
    // Twelve pages and twelve counts. PostgreSQL's backends report their statistics within about a second.
    const after = await pollUntil(readScans, ({ scans }) => scans - before.scans >= 24);
    expect(after.rows - before.rows).toBeLessThan(24 * 200);
  });
});

describe('in a database with a locale of its own, where pg_trgm lowers words by that locale', () => {
  it('a search finds what it finds elsewhere', async () => {
    const { host, port, owner: login } = inject('databaseServer');
    const name = `paydesk_icu_${randomBytes(8).toString('hex')}`;
    const maintenance = connectAsOwner({ host, port, ...login, database: 'postgres' });
    try {
      // Uses a locale of the machine in which letters beyond ASCII are letters; macOS lacks C.UTF-8.
      const createWith = (locale: string) =>
        maintenance.unsafe(
          `CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE '${locale}' STRATEGY FILE_COPY`,
        );
      await createWith('C.UTF-8').catch(() => createWith('en_US.UTF-8'));
      const address = `${encodeURIComponent(login.password)}@${encodeURIComponent(host)}:${port}`;
      const paydesk = await startInProcess({ DATABASE_URL: `postgres://${login.username}:${address}/${name}` });
      const admin = await signUpAdmin(paydesk.service);
      for (const [[spelling = '']] of SPELLINGS) expectStatus(await create(admin, spelling, paydesk.service), 201);
      // Enough labels that the planner uses the index.
      const owner = connectAsOwner({ host, port, ...login, database: name });
      await seedLabels({ database: { owner } } as TestService, admin, { count: 5_000, prefix: 'x' });
      await owner`VACUUM ANALYZE labels`;
      await owner.end();
      for (const [names, parts] of SPELLINGS) {
        for (const text of [...names, ...parts.filter((part) => part.length > 2)]) {
          expect(await search(admin, text, paydesk.service), text).toEqual([names[0]]);
        }
      }
      await paydesk.stop();
    } finally {
      await maintenance.unsafe(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await maintenance.end();
    }
  });
});
