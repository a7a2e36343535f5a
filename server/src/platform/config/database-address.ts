import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, type ConnectionOptions as TlsOptions } from 'node:tls';

/** The database's address and how to connect, as `DATABASE_URL` says, including passwords and certificates. */
export type DatabaseAddress = {
  /** In the order in which they are tried; a Unix socket's directory is always alone. */
  hosts: readonly { host: string; port: number }[];
  isSocket: boolean;
  username: string;
  password: string;
  database: string;
  /**
   * False: without TLS. `prefer` and `allow` encrypt if the server supports it. An object is passed to Node's
   * `tls.connect`.
   */
  tls: false | 'prefer' | TlsOptions;
  /** Whether to skip a read-only server and try the next one. */
  wantsPrimary: boolean;
  /** Further settings in the URL, by PostgreSQL's names. */
  settings: Record<string, string>;
};

/** An error in a database URL; the message never contains the login. */
class DatabaseAddressError extends Error {
  override name = 'DatabaseAddressError';
}

const DEFAULT_PORT = 5432;
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'];

/**
 * Reads a connection URI as libpq does (PostgreSQL's documentation, 32.1.1.2): several hosts, `target_session_attrs`, the `sslmode`s and
 * their files, Unix sockets.
 * @throws DatabaseAddressError
 */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const [, authority = '', path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?\s]*)(?:\/([^?\s]*))?(?:\?(\S*))?$/.exec(text) ?? refuse(NOT_A_URL);
  const at = authority.lastIndexOf('@');
  const [username = '', ...secret] = authority.slice(0, Math.max(0, at)).split(':');
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const { host, port, user, password, dbname, sslmode, ssl, sslrootcert, sslcert, sslkey, ...others } = parameters;
  const { target_session_attrs: attributes, connect_timeout: _ours, ...settings } = others;
  const hosts = readHosts(host ?? authority.slice(at + 1), port);
  const isSocket = hosts.some(({ host }) => host.startsWith('/'));
  if (isSocket && hosts.length > 1) refuse('names a Unix socket together with other hosts');
  if (attributes !== undefined && !SESSION_ATTRIBUTES.includes(attributes)) {
    refuse(`asks for target_session_attrs=${attributes}: Paydesk writes, so it takes ${SESSION_ATTRIBUTES.join(', ')}`);
  }
  return {
    hosts,
    isSocket,
    username: decode(username) || (user ?? ''),
    password: decode(secret.join(':')) || (password ?? ''),
    database: decode(path) || (dbname ?? ''),
    tls: isSocket ? false : readTls(sslmode ?? ssl, { sslrootcert, sslcert, sslkey }),
    wantsPrimary: hosts.length > 1 || (attributes !== undefined && attributes !== 'any'),
    settings,
  };
}

/** The problem with `DATABASE_URL`, for whoever set it; empty when there is none. */
export function findDatabaseUrlProblems(text: string): string[] {
  if (!/^postgres(ql)?:\/\//.test(text)) return ['DATABASE_URL must start with postgres://'];
  try {
    readDatabaseUrl(text);
    return [];
  } catch (error) {
    if (!(error instanceof DatabaseAddressError)) throw error;
    return [`DATABASE_URL ${error.message}`];
  }
}

const NOT_A_URL = 'is not a URL: percent-encode special characters in the user and the password';

function refuse(problem: string): never {
  throw new DatabaseAddressError(problem);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(NOT_A_URL);
  }
}

function readHosts(text: string, ports: string | undefined): { host: string; port: number }[] {
  const others = (ports ?? '').split(',');
  return text.split(',').map((item, index) => {
    const [, bracketed, plain = '', port = ''] =
      /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{0,5}))?$/.exec(item) ?? refuse(NOT_A_URL);
    if (bracketed !== undefined && isIP(bracketed) !== 6) refuse(NOT_A_URL);
    const number = Number(port || others[index] || others[0] || DEFAULT_PORT);
    if (!(number > 0 && number < 65_536)) refuse(`names port ${number}`);
    return { host: bracketed ?? (decode(plain) || 'localhost'), port: number };
  });
}

type TlsFiles = Record<'sslrootcert' | 'sslcert' | 'sslkey', string | undefined>;

/** As in libpq: `require` alone accepts any certificate, and with a root certificate means `verify-ca`. */
function readTls(mode = 'disable', { sslrootcert, sslcert, sslkey }: TlsFiles): DatabaseAddress['tls'] {
  const wanted = mode === 'true' ? 'require' : mode === 'false' ? 'disable' : mode;
  if (!TLS_MODES.includes(wanted)) refuse(`asks for sslmode=${wanted}, which is not one of ${TLS_MODES.join(', ')}`);
  if (wanted === 'disable') return false;
  if (wanted === 'allow' || wanted === 'prefer') return 'prefer';
  if ((sslcert === undefined) !== (sslkey === undefined)) refuse('needs both sslcert and sslkey, or neither');
  const files = {
    ...(sslrootcert === undefined || sslrootcert === 'system' ? {} : { ca: readPart('sslrootcert', sslrootcert) }),
    ...(sslcert === undefined ? {} : { cert: readPart('sslcert', sslcert) }),
    ...(sslkey === undefined ? {} : { key: readPart('sslkey', sslkey) }),
  };
  checkParts(files);
  if (wanted === 'verify-full' || sslrootcert === 'system') return { ...files, rejectUnauthorized: true };
  if (wanted === 'verify-ca' || sslrootcert !== undefined) {
    return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
  }
  return { ...files, rejectUnauthorized: false };
}

/** Checks files here, because each connection would fail later with the TLS library's own message. */
function checkParts({ ca, ...pair }: { ca?: Buffer; cert?: Buffer; key?: Buffer }): void {
  try {
    if (ca !== undefined) new X509Certificate(ca);
  } catch {
    refuse('names a file in sslrootcert that contains no certificate in PEM');
  }
  try {
    createSecureContext(pair);
  } catch {
    refuse('names files in sslcert and sslkey that are not a certificate and its key, in PEM and without a password');
  }
}

function readPart(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return refuse(`names a file in ${name} that cannot be read: ${path}`);
  }
}
