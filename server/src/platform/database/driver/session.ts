import { randomBytes } from 'node:crypto';
import { type MarksWatch, quote, readMarks } from './marks-watch.ts';

/** What each new connection verifies before use. `driver.repairs.ts` shows where. */
export type Session = {
  /** Simple statements go as they are; the others are prepared, and the second time only executed. */
  begin: () => readonly {
    text: string;
    isSimple: boolean;
    judge: (answer: unknown, wasPreparedAnew: boolean) => SessionCheck;
  }[];
  /** How long a connection to a read-only server is kept, in milliseconds, since failover may change the route. */
  readOnlyLifetimeMs: number;
};

/** Null when everything is as required; `passOver` when another host may be better. */
export type SessionCheck = { error: Error | null; isReadOnly: boolean };

export type SessionDemands = {
  /** The role to use; undefined means the login role. */
  role?: string | undefined;
  /** By name, as PostgreSQL prints each (`5s`, not `5000`). */
  settings: Record<string, string>;
  /** Refuses read-only servers instead of keeping a connection to them for a short time. */
  wantsPrimary: boolean;
  /** Read at each new connection; undefined when nothing is expected. */
  watch?: () => MarksWatch | undefined;
};

/** Why a connection can't be used: something between this process and PostgreSQL does not provide what is required. */
class SessionRefusedError extends Error {
  override name = 'SessionRefusedError';
  code = 'SESSION_REFUSED';
}

/** The server is read-only. The code is PostgreSQL's own for a write there. */
class ReadOnlyServerError extends Error {
  override name = 'ReadOnlyServerError';
  code = '25006';
}

const READ_ONLY_LIFETIME_MS = 500;
const POOLER =
  'If PgBouncer stands before it, give Paydesk `pool_mode = session` with `server_reset_query = DISCARD ALL` there';

/**
 * Sets the role, the timeouts and a unique mark on a new connection, and reads all of it back in separate transactions
 * by a prepared statement that runs twice. This detects a pooler that shares sessions, forgets settings or does not
 * support prepared statements, behind which acknowledged writes would be lost.
 */
export function createSession({ role, settings, wantsPrimary, watch }: SessionDemands): Session {
  const wanted = { ...(role === undefined ? {} : { role }), ...settings };
  const names = Object.keys(settings);
  const set = Object.entries(wanted).map(([name, value]) => `, set_config(${quote(name)}, ${quote(value)}, false)`);
  const readSettings = names.map((name) => `, current_setting(${quote(name)}) AS "${name}"`).join('');
  const read = `SELECT current_user::text AS role, current_setting('paydesk.session', true) AS mark, pg_is_in_recovery() AS standby,
    current_setting('transaction_read_only') AS "readOnly", pg_postmaster_start_time()::text AS server${readSettings}`;
  let primary: string | null = null;
  const checkState = (mark: string, answer: unknown, wasPreparedAnew: boolean): SessionCheck => {
    const [state] = answer as [State];
    const isReadOnly = state.standby || state.readOnly === 'on';
    if (state.mark !== mark) return refusal('each transaction runs in another session');
    if (wasPreparedAnew) return refusal('the session forgets prepared statements');
    if (role !== undefined && state.role !== role)
      return refusal(`the session has the role ${state.role} instead of ${role}`);
    const unset = names.find((name) => state[name] !== settings[name]);
    if (unset !== undefined)
      return refusal(`the session has ${unset} set to ${state[unset]} instead of ${settings[unset]}`);
    if (!isReadOnly && state.hasMarks === false) watch?.()?.onMissing();
    if (!isReadOnly && primary !== null && primary !== state.server) watch?.()?.onOtherServer();
    if (!isReadOnly) primary = state.server;
    if (isReadOnly && wantsPrimary) return { error: new ReadOnlyServerError(READ_ONLY), isReadOnly };
    return { error: null, isReadOnly };
  };
  const begin = () => {
    const mark = randomBytes(12).toString('hex');
    const readBack = { text: `${read}${readMarks(watch?.())}`, isSimple: false, judge: checkState.bind(null, mark) };
    const text = `SELECT current_setting('paydesk.session', true) AS mark;
      SELECT set_config('paydesk.session', '${mark}', false)${set.join('')}`;
    return [{ text, isSimple: true, judge: checkFreshness }, readBack, readBack];
  };
  return { begin, readOnlyLifetimeMs: READ_ONLY_LIFETIME_MS };
}

function checkFreshness(answer: unknown): SessionCheck {
  const [[before]] = answer as [[{ mark: string | null }]];
  return before.mark ? refusal('another client has already used the session') : { error: null, isReadOnly: false };
}

const READ_ONLY = 'the server accepts no writes: it is a standby, or was made read-only';

type State = {
  role: string;
  mark: string | null;
  standby: boolean;
  readOnly: string;
  /** When the server was started, which no other one has in common with it. */
  server: string;
  hasMarks?: boolean;
} & Record<string, unknown>;

/** The same at the start, where there is time for a complete check. */
export function sharedSessionError(): SessionRefusedError {
  return refusedFor('the connection shares its session with other connections');
}

function refusedFor(what: string): SessionRefusedError {
  return new SessionRefusedError(`the database gave Paydesk an unsuitable connection: ${what}. ${POOLER}.`);
}

function refusal(what: string): SessionCheck {
  return { error: refusedFor(what), isReadOnly: false };
}
