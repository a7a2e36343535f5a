import { StartError } from '../config/start-error.ts';
import { type Db, databaseErrorCode } from './database.ts';
import { APPLICATION_ROLE } from './pool.ts';

/** Gives the application role a password. ALTER ROLE takes no parameters, so the password is quoted here: it is ours, base64url. */
export async function setApplicationPassword(db: Db, password: string): Promise<void> {
  if (!/^[\w-]+$/.test(password)) throw new Error('The password must be base64url.');
  await db.unsafe(`ALTER ROLE ${APPLICATION_ROLE} LOGIN PASSWORD '${password}'`);
}

/** The role that the service works as in a database. `identifier` is its name as SQL spells it. */
export type ApplicationRole = { name: string; identifier: string };

/**
 * The application role of a database, which is made unless it is there. It is named after the database's owner, `paydesk_application`
 * for `paydesk` (and for `paydesk_owner`), so that of two owners in one cluster neither can take the role of the other.
 * @throws StartError when the user does not own the database; or with the SQL for its administrator, when the user may not make the role
 * or take it
 */
export async function ensureApplicationRole(owner: Db): Promise<ApplicationRole> {
  const { name, identifier, user, exists, mayTake, database, databaseOwner, isOwner } =
    await readApplicationRole(owner);
  if (!isOwner) {
    throw new StartError(
      `Paydesk logs in as ${user}, but the database ${database} belongs to ${databaseOwner}. Log in as ${databaseOwner}; ` +
        `or have an administrator give the database away, and start again:\n  ALTER DATABASE ${database} OWNER TO ${user};`,
    );
  }
  const create = `CREATE ROLE ${identifier} NOLOGIN NOSUPERUSER NOBYPASSRLS`;
  const grant = `GRANT ${identifier} TO ${user}`;
  try {
    // Another database of the same owner may be set up at the same time.
    if (!exists) await owner.unsafe(create).catch(passOver('42710', '23505'));
    if (!mayTake) await owner.unsafe(grant);
  } catch (error) {
    if (databaseErrorCode(error) !== '42501') throw error;
    throw new StartError(
      `Paydesk works as the role ${identifier}, which ${exists ? `${user} is not a member of` : `${user} may not create`}. ` +
        `Have an administrator of the PostgreSQL run this, and start again:\n${exists ? '' : `  ${create};\n`}  ${grant};`,
      { cause: error },
    );
  }
  return { name, identifier };
}

type RoleState = ApplicationRole & {
  user: string;
  exists: boolean;
  mayTake: boolean;
  database: string;
  databaseOwner: string;
  /** Also as a member of the owner, and as a superuser. */
  isOwner: boolean;
};

/** `mayTake` is about SET ROLE: since PostgreSQL 16, whoever makes a role is a member that may not. */
async function readApplicationRole(owner: Db): Promise<RoleState> {
  const [row] = await owner<[RoleState]>`
    SELECT named.name, quote_ident(named.name) AS identifier, quote_ident(current_user) AS user, known.oid IS NOT NULL AS exists,
           known.oid IS NOT NULL AND pg_has_role(current_user, known.oid,
             CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) AS "mayTake",
           quote_ident(named.database) AS database, quote_ident(pg_get_userbyid(named.owner)) AS "databaseOwner",
           pg_has_role(current_user, named.owner, 'MEMBER') AS "isOwner"
    FROM (
      SELECT datname AS database, datdba AS owner,
             (regexp_replace(pg_get_userbyid(datdba), '_owner$', '') || '_application')::name::text AS name
      FROM pg_database
      WHERE datname = current_database()
    ) AS named
    LEFT JOIN pg_roles AS known ON known.rolname = named.name`;
  return row;
}

function passOver(...codes: string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(databaseErrorCode(error) ?? '')) throw error;
  };
}

/**
 * Refuses a migrated database in which the role may do nothing.
 * @throws StartError
 */
export async function checkRights(owner: Db, { name, identifier }: ApplicationRole): Promise<void> {
  const [row] = await owner<[{ mayRead: boolean }]>`
    SELECT has_table_privilege(${name}, 'schema_migrations', 'SELECT') AS "mayRead"`;
  if (row.mayRead) return;
  throw new StartError(
    `The role ${identifier} has no privileges in this database: another owner set it up, or it was restored without privileges. ` +
      'Give it back to that owner (ALTER DATABASE … OWNER TO …), or restore it with its privileges.',
  );
}
