import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectStatus, signUpAdmin } from '../../../test/customers/actors.ts';
import { refusalOf, startInProcess } from '../../../test/harness/in-process.ts';
import { endProcesses, launch, startPaydesk } from '../../../test/harness/process.ts';
import type { TestService } from '../../../test/harness/service.ts';
import { type Db, databaseErrorCode } from './database.ts';
import { connectAsOwner } from './pool.ts';

/** The database administrator of a PostgreSQL that others use too. */
let administrator: Db;
let made: { databases: string[]; roles: string[] };
beforeAll(() => {
  const { host, port, owner } = inject('databaseServer');
  administrator = connectAsOwner({ host, port, ...owner, database: 'postgres' });
  made = { databases: [], roles: [] };
});
afterEach(async () => {
  await endProcesses();
  for (const name of made.databases.splice(0)) await administrator`DROP DATABASE ${administrator(name)} WITH (FORCE)`;
  for (const name of made.roles.splice(0)) await administrator`DROP ROLE IF EXISTS ${administrator(name)}`;
});
afterAll(() => administrator.end());

type TestDatabase = { owner: string; role: string; url: string; connect: () => Db };

/** An owner with a database, as the README has them made. `name` goes with what makes it unique. */
async function makeDatabase(rights: '' | 'CREATEROLE', name = 'acme'): Promise<TestDatabase> {
  const { host, port } = inject('databaseServer');
  const owner = `${name}_${randomBytes(6).toString('hex')}`;
  const [password, database] = ['choose one', owner];
  await administrator.unsafe(`CREATE ROLE ${quoted(owner)} LOGIN ${rights} PASSWORD '${password}'`);
  made.roles.push(`${owner}_application`, owner);
  await administrator.unsafe(`CREATE DATABASE ${quoted(database)} OWNER ${quoted(owner)} STRATEGY FILE_COPY`);
  made.databases.push(database);
  const [user, path] = [owner, database].map(encodeURIComponent);
  return {
    owner,
    role: `${owner}_application`,
    url: `postgres://${user}:choose%20one@${encodeURIComponent(host)}:${port}/${path}`,
    connect: () => connectAsOwner({ host, port, username: owner, password, database }),
  };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Starts Paydesk there, uses it, and says which role its rows are reached through. */
async function expectItWorks(target: TestDatabase): Promise<void> {
  const { service, stop } = await startInProcess({ DATABASE_URL: target.url });
  await use(service).finally(stop);
  await expectRights(target);
}

/** As `expectItWorks`, with a process of its own. */
async function expectProcessWorks(target: TestDatabase): Promise<void> {
  const paydesk = await startPaydesk({ DATABASE_URL: target.url });
  await use(paydesk.service);
  await paydesk.end('SIGTERM');
  await expectRights(target);
}

async function use(service: TestService): Promise<void> {
  const { token } = await signUpAdmin(service);
  const body = { name: 'Priority', description: 'Any', color: '#fff', userName: 'Ada' };
  expectStatus(await service.call('POST', '/labels', { token, body }), 201);
}

async function expectRights({ role, connect }: TestDatabase): Promise<void> {
  const owner = connect();
  const [powers] = await administrator`
    SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin AS mighty FROM pg_roles WHERE rolname = ${role}`;
  const [rights] = await owner`
    SELECT has_table_privilege(${role}, 'labels', 'INSERT') AS labels, has_table_privilege(${role}, 'invoices', 'DELETE') AS invoices`;
  await owner.end();
  expect([powers, rights]).toEqual([{ mighty: false }, { labels: true, invoices: false }]);
}

/** What Paydesk says that starts in vain, and the statements in it that an administrator is to run. */
type Refusal = { complaint: string; statements: string[] };

async function expectRefusal({ url }: TestDatabase): Promise<Refusal> {
  return readComplaint(await refusalOf({ DATABASE_URL: url }));
}

/** As `expectRefusal`, with a process of its own. */
async function expectProcessRefusal({ url }: TestDatabase): Promise<Refusal> {
  const paydesk = launch({ DATABASE_URL: url });
  expect(await paydesk.ended).toEqual({ code: 1, signal: null });
  return readComplaint(paydesk.output());
}

function readComplaint(complaint: string): Refusal {
  expect(complaint).not.toContain('choose');
  return { complaint, statements: complaint.match(/^ {2}\S.*;$/gm) ?? [] };
}

describe('DATABASE_URL of an owner with CREATEROLE', () => {
  // Security (Tenants): Two owners in one cluster share no role
  it('works for two owners with a database each in one cluster, and neither reaches into the other’s', async () => {
    const [one, two] = [await makeDatabase('CREATEROLE'), await makeDatabase('CREATEROLE')];
    await expectItWorks(one);
    await expectItWorks(two);
    await expectItWorks(one);
    const intruder = one.connect();
    const refusal = await intruder.unsafe(`SET ROLE ${quoted(two.role)}`).catch((error) => databaseErrorCode(error));
    await intruder.end();
    expect(refusal).toBe('42501');
  });

  it('works for an owner of any name, and goes on working without CREATEROLE after the first start', async () => {
    const target = await makeDatabase('CREATEROLE', `O'Brien "& Söhne" 100%s $1`);
    await expectItWorks(target);
    await administrator.unsafe(`ALTER ROLE ${quoted(target.owner)} NOCREATEROLE`);
    await expectItWorks(target);
  });
});

describe('DATABASE_URL of an owner without CREATEROLE', () => {
  it('works when the administrator has made the role', async () => {
    const target = await makeDatabase('');
    await administrator.unsafe(`CREATE ROLE ${quoted(target.role)}`);
    await administrator.unsafe(`GRANT ${quoted(target.role)} TO ${quoted(target.owner)}`);
    await expectItWorks(target);
  });

  it('is refused with the SQL that the administrator has to run, after which it works', async () => {
    const target = await makeDatabase('');
    const { complaint, statements } = await expectProcessRefusal(target);
    expect(complaint).toContain(`Paydesk works as the role ${target.role}, which ${target.owner} may not create.`);
    expect(statements).toEqual([
      `  CREATE ROLE ${target.role} NOLOGIN NOSUPERUSER NOBYPASSRLS;`,
      `  GRANT ${target.role} TO ${target.owner};`,
    ]);
    for (const statement of statements) await administrator.unsafe(statement);
    await expectProcessWorks(target);
  });

  it('is refused with the GRANT that is missing when the role is there', async () => {
    const target = await makeDatabase('');
    await administrator.unsafe(`CREATE ROLE ${quoted(target.role)}`);
    const { complaint, statements } = await expectRefusal(target);
    expect(complaint).toContain(`which ${target.owner} is not a member of`);
    expect(statements).toEqual([`  GRANT ${target.role} TO ${target.owner};`]);
    for (const statement of statements) await administrator.unsafe(statement);
    await expectItWorks(target);
  });
});

describe('a database that has changed hands', () => {
  it('is refused with what to do, for the new owner’s role has no rights in it', async () => {
    const [old, other] = [await makeDatabase('CREATEROLE'), await makeDatabase('CREATEROLE')];
    await expectItWorks(old);
    await administrator.unsafe(`ALTER DATABASE ${quoted(old.owner)} OWNER TO ${quoted(other.owner)}`);
    const { username, password } = inject('databaseServer').owner;
    const login = `${username}:${encodeURIComponent(password)}`;
    const { complaint } = await expectRefusal({ ...old, url: old.url.replace(/\/\/[^@]+@/, `//${login}@`) });
    expect(complaint).toContain(`The role ${other.role} has no privileges in this database`);
    expect(complaint).toContain('ALTER DATABASE');
  });
});
