import { isIP } from 'node:net';
import { resolve } from 'node:path';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
const LOG_LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Everything that the environment decides, read once at the start. */
export type Config = {
  production: boolean;
  host: string;
  port: number;
  dataDirectory: string;
  /** Unset: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  databasePoolSize: number;
  operatorKey: string | undefined;
  logLevel: LogLevel;
  /** Origins that a browser may call from; none by default. */
  corsOrigins: string[];
  /** Addresses or CIDR ranges of reverse proxies whose `X-Forwarded-*` headers count. */
  trustedProxies: string[];
  tokenIssuer: string;
  tokenAudience: string;
  accessTokenLifetimeSeconds: number;
  rateLimitPerMinute: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Unset: the sandbox gateway runs inside the server. */
  sandboxGatewayUrl: string | undefined;
  sandboxGatewaySecret: string | undefined;
  gatewayTimeoutMs: number;
  failpoints: string[];
};

/** Says what is wrong with the environment, one line a problem. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Record<string, string | undefined>;

/**
 * Reads and validates the environment.
 * @throws ConfigError naming every problem at once.
 */
export function readConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const list = (name: string): string[] => (text(name) ?? '').split(',').flatMap((item) => item.trim() || []);
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  };

  const config: Config = {
    production: text('NODE_ENV') === 'production',
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65_535),
    dataDirectory: resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl: text('DATABASE_URL'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 100),
    operatorKey: text('OPERATOR_KEY'),
    logLevel: (text('LOG_LEVEL') ?? 'info') as LogLevel,
    corsOrigins: list('CORS_ORIGINS'),
    trustedProxies: list('TRUSTED_PROXIES'),
    tokenIssuer: text('TOKEN_ISSUER') ?? 'paydesk',
    tokenAudience: text('TOKEN_AUDIENCE') ?? 'paydesk',
    accessTokenLifetimeSeconds: integer('ACCESS_TOKEN_LIFETIME_SECONDS', 86_400, 60, 31_536_000),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 1_200_000, 1, 2_000_000_000),
    maxConnections: integer('MAX_CONNECTIONS', 8_192, 1, 1_000_000),
    maxConnectionsPerAddress: integer('MAX_CONNECTIONS_PER_ADDRESS', 2_048, 1, 1_000_000),
    sandboxGatewayUrl: text('SANDBOX_GATEWAY_URL'),
    sandboxGatewaySecret: text('SANDBOX_GATEWAY_SECRET'),
    gatewayTimeoutMs: integer('GATEWAY_TIMEOUT_MS', 20_000, 100, 120_000),
    failpoints: list('FAILPOINTS'),
  };
  problems.push(...findProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function findProblems(config: Config): string[] {
  const problems: string[] = [];
  if (!LOG_LEVELS.includes(config.logLevel)) problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl)) {
    problems.push('DATABASE_URL must start with postgres://');
  } else if (config.databaseUrl !== undefined && !URL.canParse(config.databaseUrl)) {
    problems.push('DATABASE_URL is not a URL: percent-encode what is special in the user and the password');
  }
  if (config.operatorKey !== undefined && !/^opk_[\w-]{32,200}$/.test(config.operatorKey)) {
    problems.push('OPERATOR_KEY must be opk_ and at least 32 letters, digits, - or _');
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
  if (
    config.sandboxGatewayUrl !== undefined &&
    !/^https?:$/.test(URL.parse(config.sandboxGatewayUrl)?.protocol ?? '')
  ) {
    problems.push('SANDBOX_GATEWAY_URL must be a URL such as http://127.0.0.1:4010');
  }
  if ((config.sandboxGatewayUrl === undefined) !== (config.sandboxGatewaySecret === undefined)) {
    problems.push('SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET go together');
  }
  if (config.production && config.failpoints.length > 0) problems.push('FAILPOINTS is for tests, never for production');
  if (config.production && config.trustedProxies.length === 0) {
    problems.push('TRUSTED_PROXIES must name the proxy that ends TLS: Paydesk itself speaks plain HTTP');
  }
  return problems;
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits);
}
