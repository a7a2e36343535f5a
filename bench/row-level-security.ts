/**
 * What row-level security would cost on the label list: the same page query of one company among a hundred, on 32 callers
 * and 10 connections, as it is, and with a forced policy whose company is set inside the transaction. Decision 0002 quotes it.
 *
 * Run it with `npm run bench -- row-level-security`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { selectLabelPage } from '../server/src/labels/labels.queries.ts';
import { startEmbeddedPostgres } from '../server/src/platform/data-directory.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { checkServer, migrate } from '../server/src/platform/database/migrate.ts';
import { APPLICATION_ROLE, connect, connectAsOwner } from '../server/src/platform/database/pool.ts';
import { setApplicationPassword } from '../server/src/platform/database/roles.worker.queries.ts';
import { median } from './report.ts';

const COMPANIES = 100;
const LABELS_EACH = 1_000;
const CALLERS = 32;
const ROUND_MS = 3_000;
const ROUNDS = 5;
const PAGE = { orderBy: 'name', descending: true, limit: 10, offset: 0, search: null } as const;

async function seed(owner: Db): Promise<string> {
  const userId = uuidv7();
  const [company] = await owner<[{ id: string }]>`
    INSERT INTO companies (id) SELECT gen_random_uuid() FROM generate_series(1, ${COMPANIES}) RETURNING id`;
  await owner`
    INSERT INTO users (id, company_id, role, first_name, last_name, email, email_key, password_hash)
    VALUES (${userId}, ${company.id}, 'Admin', '', '', 'bench', 'bench', '')`;
  await owner`
    INSERT INTO labels (company_id, id, user_id, created_by, updated_by, name, description, color)
    SELECT companies.id, gen_random_uuid(), ${userId}, 'bench', 'bench', 'Label ' || number, 'A label', '#ff8800'
    FROM companies, generate_series(1, ${LABELS_EACH}) AS number`;
  await owner`VACUUM ANALYZE labels`;
  return company.id;
}

/** @returns how many pages a second the callers got */
async function measure(readPage: () => Promise<unknown>): Promise<number> {
  const endMs = performance.now() + ROUND_MS;
  let pages = 0;
  const caller = async () => {
    while (performance.now() < endMs) {
      await readPage();
      pages += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (pages * 1_000) / ROUND_MS;
}

/** The same labels once more, behind a forced policy, under the same name in a schema of their own. */
async function addGuardedTwin(owner: Db): Promise<void> {
  await owner
    .unsafe(`
    CREATE TABLE guarded_labels (LIKE labels INCLUDING ALL);
    INSERT INTO guarded_labels (company_id, id, user_id, created_by, updated_by, name, description, color)
      SELECT company_id, id, user_id, created_by, updated_by, name, description, color FROM labels;
    ALTER TABLE guarded_labels ENABLE ROW LEVEL SECURITY;
    ALTER TABLE guarded_labels FORCE ROW LEVEL SECURITY;
    CREATE POLICY of_company ON guarded_labels USING (company_id = current_setting('paydesk.company_id')::uuid);
    GRANT SELECT ON guarded_labels TO ${APPLICATION_ROLE};
    CREATE SCHEMA guarded;
    CREATE VIEW guarded.labels WITH (security_invoker) AS SELECT * FROM guarded_labels;
    GRANT USAGE ON SCHEMA guarded TO ${APPLICATION_ROLE};
    GRANT SELECT ON guarded.labels TO ${APPLICATION_ROLE};
    ANALYZE guarded_labels;
  `)
    .simple();
}

/** Prints what share of the throughput the policy leaves. */
export async function benchRowLevelSecurity(): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const server = await startEmbeddedPostgres({ dataDirectory, log: silent });
  const { user, ...address } = server.connection;
  const owner = connectAsOwner({ ...address, username: user });
  try {
    const serverVersion = await checkServer(owner);
    await migrate(owner);
    await setApplicationPassword(owner, 'bench');
    const companyId = await seed(owner);
    await addGuardedTwin(owner);
    const db = connect({
      target: { ...address, username: APPLICATION_ROLE, password: 'bench' },
      poolSize: 10,
      serverVersion,
    });
    const plain = () => selectLabelPage(db, companyId, PAGE, null);
    const guarded = () =>
      db.begin(async (tx) => {
        const [, page] = await Promise.all([
          tx`SELECT set_config('paydesk.company_id', ${companyId}, true), set_config('search_path', 'guarded, public', true)`,
          selectLabelPage(tx, companyId, PAGE, null),
        ]);
        return page;
      });
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const without = await measure(plain);
      const withPolicy = await measure(guarded);
      ratios.push(withPolicy / without);
      console.log(`round ${round}: ${without.toFixed(0)} pages/s as it is, ${withPolicy.toFixed(0)} with the policy`);
    }
    console.log(`with the policy: ${median(ratios).toFixed(2)} × of the throughput (median of ${ROUNDS} rounds)`);
    await db.end();
  } finally {
    await owner.end();
    await server.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}
