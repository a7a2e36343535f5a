import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { findDatabaseUrlProblems } from './database-address.ts';
import { type DeclaredGateway, type GatewaySettings, readGatewaySettings } from './gateway-settings.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import { readSignInSettings, type SignInSettings } from './sign-in-settings.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
const LOG_LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** What a process does: serve the API, background work, or both. */
export type Role = 'api' | 'worker' | 'all';
const ROLES: readonly Role[] = ['api', 'worker', 'all'];

/** Whether this service charges, refunds, bills and corrects, or only reads and ingests. */
export type Charges = 'on' | 'held';
/** Whether usage of external ids that no company has is kept until one has them. */
/** `off`: cards are saved in the fields of the gateway alone. */
export type RawCardNumbers = 'on' | 'off';

export type UnattributedUsage = 'accept' | 'reject';
const UNATTRIBUTED_USAGE: readonly UnattributedUsage[] = ['accept', 'reject'];

const CHARGES: readonly Charges[] = ['on', 'held'];

/** How many charges requested by people may be declined per hour before further ones are treated as card testing. */
export type RefusalLimits = { ofInvoice: number; ofCompany: number; ofAddress: number; ofCard: number };

type Parts = GatewaySettings & MailSettings & SignInSettings;

/** All configuration from the environment, read once at the start. */
export type Config = Parts & {
  production: boolean;
  role: Role;
  host: string;
  port: number;
  /** How browsers reach the service, without a slash at its end. Links and the origin of its pages come from it alone. */
  publicUrl: string;
  /** Whether `PUBLIC_URL` says so; else it is localhost. */
  isPublicUrlSet: boolean;
  dataDirectory: string;
  /** Where the journal is; unset: beside the data directory, or in it where that can't be. */
  journalDirectory: string | undefined;
  /** Unset: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  operatorKey: string | undefined;
  /** The content of a key file, for machines that share no file system. */
  keys: string | undefined;
  /** The path of the key file, if it is not in the data directory. */
  keysFile: string | undefined;
  /** Accepts other keys than those used with the database before: their identity, or `new` where there are none. */
  acceptKeys: string | undefined;
  logLevel: LogLevel;
  /** Origins that a browser may call from; none by default. */
  corsOrigins: string[];
  /** Addresses or CIDR ranges of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[];
  /** Grants access to the metrics, as the operator key does. */
  metricsToken: string | undefined;
  metricsHost: string;
  /** Unset: the metrics are served only with the API. */
  metricsPort: number | undefined;
  tokenIssuer: string;
  tokenAudience: string;
  accessTokenLifetimeSeconds: number;
  /** How long a session lasts after its last login or refresh. */
  sessionIdleSeconds: number;
  /** How long a session lasts at most. */
  sessionLifetimeSeconds: number;
  /** Whether a user with an unverified e-mail may read a company only. */
  requireVerifiedEmail: boolean;
  rateLimitPerMinute: number;
  /** Successful logins per hour of one client network. */
  signUpsPerHour: number;
  loginsPerHour: number;
  /** Declines per hour of charges requested by people. */
  refusedCharges: RefusalLimits;
  /** Whether requests may carry card numbers. */
  rawCardNumbers: RawCardNumbers;
  /** How long a payment waits until the customer has confirmed it. */
  confirmationWindowSeconds: number;
  /** How long single usage events are kept and their repeats recognized. */
  usageRetentionYears: number;
  unattributedUsage: UnattributedUsage;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  gatewayTimeoutMs: number;
  charges: Charges;
  /** How often the database's marks are compared with the journals and the gateways. */
  marksCheckSeconds: number;
  /** Whether they are compared at all: tests of a restore that nobody notices turn it off. */
  marksCheck: 'on' | 'off';
  /** Hosts, `host` or `host:port`, that the operator's webhook endpoints may use even if private, also over http. */
  webhookAllowedHosts: string[];
  failpoints: string[];
  stepsFile: string | undefined;
};

/** The problems of the environment, one per line. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

/** During a hold, a pass and a request that brings the database together keep one each, and need another one for their work. */
const FEWEST_CONNECTIONS = 3;

/**
 * Reads and validates the environment. Each of the gateways, `declared`, reads its own part.
 * @throws ConfigError naming every problem at once.
 */
export function readConfig(declared: readonly DeclaredGateway[], environment: Environment = process.env): Config {
  const problems: string[] = [];
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const list = (name: string): string[] => (text(name) ?? '').split(',').flatMap((item) => item.trim() || []);
  const secret = (name: string): string | undefined => {
    const path = text(`${name}_FILE`);
    if (path === undefined) return text(name);
    if (text(name) !== undefined) problems.push(`${name} and ${name}_FILE cannot be set together`);
    try {
      return readFileSync(path, 'utf8').trim() || undefined;
    } catch {
      problems.push(`${name}_FILE must name a file that can be read`);
      return undefined;
    }
  };
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  };
  const optionalPort = (name: string) => (text(name) === undefined ? undefined : integer(name, 0, 0, 65_535));

  const production = text('NODE_ENV') === 'production';
  const config: Config = {
    production,
    role: (text('ROLE') ?? 'all') as Role,
    host: text('HOST') ?? '127.0.0.1',
    ...readAddress(text('PUBLIC_URL'), integer('PORT', 3000, 0, 65_535)),
    ...{ dataDirectory: resolve(text('DATA_DIR') ?? 'data'), journalDirectory: text('JOURNAL_DIR') },
    databaseUrl: text('DATABASE_URL'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, FEWEST_CONNECTIONS, 100),
    operatorKey: text('OPERATOR_KEY'),
    ...{ keys: text('KEYS'), keysFile: text('KEYS_FILE'), acceptKeys: text('ACCEPT_KEYS') },
    logLevel: (text('LOG_LEVEL') ?? 'info') as LogLevel,
    corsOrigins: list('CORS_ORIGINS'),
    trustedProxies: list('TRUSTED_PROXIES'),
    metricsToken: secret('METRICS_TOKEN'),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    metricsPort: optionalPort('METRICS_PORT'),
    tokenIssuer: text('TOKEN_ISSUER') ?? 'paydesk',
    tokenAudience: text('TOKEN_AUDIENCE') ?? 'paydesk',
    ...readAccessSettings({ text, integer }, problems),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 1_200_000, 1, 2_000_000_000),
    signUpsPerHour: integer('SIGN_UPS_PER_HOUR', 2_000, 1, 2_000_000_000),
    loginsPerHour: integer('LOGINS_PER_HOUR', 2_000, 1, 2_000_000_000),
    refusedCharges: readRefusalLimits(integer),
    rawCardNumbers: (text('RAW_CARD_NUMBERS') ?? 'on') as RawCardNumbers,
    confirmationWindowSeconds: integer('CONFIRMATION_WINDOW_SECONDS', 82_800, 5, 86_400),
    usageRetentionYears: integer('USAGE_RETENTION_YEARS', 10, 1, 100),
    unattributedUsage: (text('UNATTRIBUTED_USAGE') ?? 'accept') as UnattributedUsage,
    maxConnections: integer('MAX_CONNECTIONS', 8_192, 1, 1_000_000),
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', 2_048, 1, 1_000_000),
    ...readGatewaySettings(declared, { text, secret, integer, production }, problems),
    charges: (text('CHARGES') ?? 'on') as Charges,
    // Production refuses less than the default: it would compare the database too seldom.
    marksCheckSeconds: integer('MARKS_CHECK_SECONDS', 60, production ? 60 : 1, 86_400),
    gatewayTimeoutMs: integer('GATEWAY_TIMEOUT_MS', 20_000, 100, 120_000),
    webhookAllowedHosts: list('WEBHOOK_ALLOWED_HOSTS').map((host) => host.toLowerCase()),
    ...readMailSettings({ text, secret }, problems),
    ...readSignInSettings({ text, list, secret }, problems),
    signInTimeoutMs: integer('SIGN_IN_TIMEOUT_MS', 10_000, 100, 60_000),
    ...{ failpoints: list('FAILPOINTS'), stepsFile: text('STEPS_FILE') },
    marksCheck: (text('MARKS_CHECK') ?? 'on') as Config['marksCheck'],
  };
  problems.push(...findProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** A browser treats `localhost` as a secure context, and a passkey can't belong to an IP address. */
function readAddress(
  publicUrl: string | undefined,
  port: number,
): Pick<Config, 'port' | 'publicUrl' | 'isPublicUrlSet'> {
  const address = (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '');
  return { port, publicUrl: address, isPublicUrlSet: publicUrl !== undefined };
}

type ReadInteger = (name: string, fallback: number, min: number, max: number) => number;

function readAccessSettings(
  { text, integer }: { text: (name: string) => string | undefined; integer: ReadInteger },
  problems: string[],
): Pick<
  Config,
  'accessTokenLifetimeSeconds' | 'sessionIdleSeconds' | 'sessionLifetimeSeconds' | 'requireVerifiedEmail'
> {
  const requireVerifiedEmail = text('REQUIRE_VERIFIED_EMAIL') ?? 'false';
  if (!/^(true|false)$/.test(requireVerifiedEmail)) problems.push('REQUIRE_VERIFIED_EMAIL must be true or false');
  return {
    accessTokenLifetimeSeconds: integer('ACCESS_TOKEN_LIFETIME_SECONDS', 3_600, 1, 31_536_000),
    sessionIdleSeconds: integer('SESSION_IDLE_SECONDS', 2_592_000, 1, 31_536_000),
    sessionLifetimeSeconds: integer('SESSION_LIFETIME_SECONDS', 7_776_000, 1, 31_536_000),
    requireVerifiedEmail: requireVerifiedEmail === 'true',
  };
}

function readRefusalLimits(integer: ReadInteger): RefusalLimits {
  return {
    ofInvoice: integer('REFUSED_CHARGES_PER_INVOICE', 20, 1, 1_000_000),
    ofCompany: integer('REFUSED_CHARGES_PER_COMPANY', 60, 1, 1_000_000),
    ofAddress: integer('REFUSED_CHARGES_PER_ADDRESS', 1_000, 1, 1_000_000),
    ofCard: integer('REFUSED_CHARGES_PER_CARD', 100, 1, 1_000_000),
  };
}

function findProblems(config: Config): string[] {
  const problems: string[] = [];
  if (!LOG_LEVELS.includes(config.logLevel)) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  if (!['on', 'off'].includes(config.rawCardNumbers)) problems.push('RAW_CARD_NUMBERS must be one of on, off');
  if (!CHARGES.includes(config.charges)) problems.push(`CHARGES must be one of ${CHARGES.join(', ')}`);
  if (!UNATTRIBUTED_USAGE.includes(config.unattributedUsage))
    problems.push(`UNATTRIBUTED_USAGE must be one of ${UNATTRIBUTED_USAGE.join(', ')}`);
  if (!ROLES.includes(config.role)) problems.push(`ROLE must be one of ${ROLES.join(', ')}`);
  else if (config.role !== 'all' && config.databaseUrl === undefined) {
    problems.push(
      `ROLE=${config.role} needs DATABASE_URL: the embedded PostgreSQL belongs to one process, which has to do everything`,
    );
  }
  if (config.databaseUrl !== undefined) problems.push(...findDatabaseUrlProblems(config.databaseUrl));
  if (config.keys !== undefined && config.keysFile !== undefined)
    problems.push('KEYS and KEYS_FILE cannot be set together');
  if (config.operatorKey !== undefined && !/^opk_[\w-]{32,200}$/.test(config.operatorKey)) {
    problems.push('OPERATOR_KEY must be opk_ and at least 32 letters, digits, - or _');
  }
  problems.push(...findMetricsProblems(config));
  if (!isPublicUrl(config.publicUrl)) {
    problems.push('PUBLIC_URL must be an address such as https://billing.example.com, without a query or a password');
  }
  for (const origin of config.corsOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      problems.push(`CORS_ORIGINS: ${JSON.stringify(origin)} is not an origin such as https://app.example.com`);
    }
  }
  for (const proxy of config.trustedProxies) {
    if (!isAddressOrRange(proxy)) {
      problems.push(`TRUSTED_PROXIES: ${JSON.stringify(proxy)} is not an address or a range such as 10.0.0.0/8`);
    }
  }
  for (const host of config.webhookAllowedHosts) {
    if (host.includes('*') || URL.parse(`https://${host}`)?.host !== host) {
      problems.push(`WEBHOOK_ALLOWED_HOSTS: ${JSON.stringify(host)} is not a host such as hooks.internal:8080`);
    }
  }
  if (config.production && config.failpoints.length > 0) problems.push('FAILPOINTS is for tests, never for production');
  if (config.production && config.stepsFile !== undefined)
    problems.push('STEPS_FILE is for tests, never for production');
  if (!['on', 'off'].includes(config.marksCheck)) problems.push('MARKS_CHECK must be one of on, off');
  if (config.production && config.marksCheck === 'off')
    problems.push('MARKS_CHECK=off is for tests, never for production');
  if (config.production && config.trustedProxies.length === 0) {
    problems.push('TRUSTED_PROXIES must name the proxy that terminates TLS: Paydesk itself speaks plain HTTP');
  }
  return problems;
}

function findMetricsProblems({ metricsToken, metricsHost, metricsPort }: Config): string[] {
  const problems: string[] = [];
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,255}$/.test(metricsToken)) {
    problems.push('METRICS_TOKEN must be 16 to 255 visible ASCII characters');
  }
  if (metricsPort !== undefined && metricsToken === undefined && !/^(127(\.\d+){3}|::1|localhost)$/.test(metricsHost)) {
    problems.push('METRICS_HOST needs METRICS_TOKEN unless it is a loopback address: others could read the metrics');
  }
  return problems;
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === '') && !/[?#]/.test(text);
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits);
}
