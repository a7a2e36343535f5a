import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { problemsOf } from './config.test-support.ts';
import { readConfig } from './config.ts';

const OPERATOR_KEY = `opk_${'a'.repeat(32)}`;
const PAYPAL = { PAYPAL_CLIENT_ID: 'AeA1QIZXiflr1_-r0U2Ub', PAYPAL_CLIENT_SECRET: 'EGnHDxD_qRPdaLdZz8iCr8N7' };

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig(GATEWAYS, {})).toEqual({
      production: false,
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      isPublicUrlSet: false,
      dataDirectory: resolve('data'),
      journalDirectory: undefined,
      databaseUrl: undefined,
      databasePoolSize: 10,
      operatorKey: undefined,
      keys: undefined,
      keysFile: undefined,
      acceptKeys: undefined,
      logLevel: 'info',
      corsOrigins: [],
      trustedProxies: [],
      tokenIssuer: 'paydesk',
      tokenAudience: 'paydesk',
      accessTokenLifetimeSeconds: 3_600,
      ...{ sessionIdleSeconds: 2_592_000, sessionLifetimeSeconds: 7_776_000 },
      requireVerifiedEmail: false,
      metricsToken: undefined,
      metricsHost: '127.0.0.1',
      metricsPort: undefined,
      rateLimitPerMinute: 1_200_000,
      signUpsPerHour: 2_000,
      loginsPerHour: 2_000,
      refusedCharges: { ofInvoice: 20, ofCompany: 60, ofAddress: 1_000, ofCard: 100 },
      ...{
        rawCardNumbers: 'on',
        confirmationWindowSeconds: 82_800,
        usageRetentionYears: 10,
        unattributedUsage: 'accept',
      },
      maxConnections: 8_192,
      maxConnectionsPerAddress: 2_048,
      gateway: 'sandbox',
      gateways: { sandbox: { server: null } },
      gatewayFiles: ['sandbox-gateway.db'],
      charges: 'on',
      gatewayLagSeconds: 60,
      ...{ marksCheckSeconds: 60, marksCheck: 'on' },
      gatewayTimeoutMs: 20_000,
      webhookAllowedHosts: [],
      ...{ signInProviders: [], signInAllowedHosts: [], signInTimeoutMs: 10_000 },
      failpoints: [],
    });
  });

  const LIMITS = {
    RATE_LIMIT_PER_MINUTE: '600',
    RAW_CARD_NUMBERS: 'off',
    CONFIRMATION_WINDOW_SECONDS: '3600',
    USAGE_RETENTION_YEARS: '3',
    UNATTRIBUTED_USAGE: 'reject',
    SIGN_UPS_PER_HOUR: '50',
    LOGINS_PER_HOUR: '70',
    REFUSED_CHARGES_PER_INVOICE: '1',
    REFUSED_CHARGES_PER_COMPANY: '2',
    REFUSED_CHARGES_PER_ADDRESS: '3',
    REFUSED_CHARGES_PER_CARD: '4',
  };

  it('reads every variable', () => {
    const environment = {
      ...{ ...LIMITS, NODE_ENV: 'production' },
      ROLE: 'worker',
      HOST: '0.0.0.0',
      PORT: '8080',
      DATA_DIR: '/var/lib/paydesk',
      DATABASE_URL: 'postgres://paydesk:secret@database/paydesk',
      DATABASE_POOL_SIZE: '25',
      OPERATOR_KEY,
      LOG_LEVEL: 'warn',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:5173',
      TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.7 , 2001:db8::/32,::1',
      ...{ METRICS_TOKEN: 'scrape-4f1c9a7be2d0', METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' },
      PUBLIC_URL: 'https://billing.example.com/paydesk/',
      TOKEN_ISSUER: 'https://pay.example.com',
      TOKEN_AUDIENCE: 'platform',
      ACCESS_TOKEN_LIFETIME_SECONDS: '900',
      ...{ SESSION_IDLE_SECONDS: '86400', SESSION_LIFETIME_SECONDS: '604800' },
      REQUIRE_VERIFIED_EMAIL: 'true',
      ...{ MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '20' },
      SANDBOX_GATEWAY_URL: 'http://127.0.0.1:4010',
      SANDBOX_GATEWAY_SECRET: 'sandbox',
      GATEWAY: 'stripe',
      STRIPE_SECRET_KEY: 'sk_live_abc',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
      STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh',
      STRIPE_API_BASE: 'https://stripe.example.com',
      PAYPAL_CLIENT_ID: PAYPAL.PAYPAL_CLIENT_ID,
      PAYPAL_CLIENT_SECRET: PAYPAL.PAYPAL_CLIENT_SECRET,
      PAYPAL_WEBHOOK_ID: '1JE4291016473214C',
      PAYPAL_API_BASE: 'https://api-m.sandbox.paypal.com',
      ...{ CHARGES: 'held', GATEWAY_LAG_SECONDS: '11000', MARKS_CHECK_SECONDS: '90', MARKS_CHECK: 'on' },
      GATEWAY_TIMEOUT_MS: '5000',
      SIGN_IN_TIMEOUT_MS: '3000',
      WEBHOOK_ALLOWED_HOSTS: 'Hooks.internal:8080, hooks.example.com',
      ...{
        SMTP_URL: 'smtps://mail.example.com',
        MAIL_FROM: 'Pay <a@example.com>',
      },
      FAILPOINTS: '',
    };
    expect(readConfig(GATEWAYS, environment)).toEqual({
      production: true,
      role: 'worker',
      host: '0.0.0.0',
      port: 8080,
      publicUrl: 'https://billing.example.com/paydesk',
      isPublicUrlSet: true,
      dataDirectory: '/var/lib/paydesk',
      databaseUrl: 'postgres://paydesk:secret@database/paydesk',
      databasePoolSize: 25,
      operatorKey: OPERATOR_KEY,
      logLevel: 'warn',
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      trustedProxies: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1'],
      ...{ metricsToken: 'scrape-4f1c9a7be2d0', metricsHost: '0.0.0.0', metricsPort: 9464 },
      tokenIssuer: 'https://pay.example.com',
      tokenAudience: 'platform',
      ...{ accessTokenLifetimeSeconds: 900, sessionIdleSeconds: 86_400, sessionLifetimeSeconds: 604_800 },
      requireVerifiedEmail: true,
      ...{ rateLimitPerMinute: 600, signUpsPerHour: 50, loginsPerHour: 70 },
      refusedCharges: { ofInvoice: 1, ofCompany: 2, ofAddress: 3, ofCard: 4 },
      ...{
        rawCardNumbers: 'off',
        confirmationWindowSeconds: 3_600,
        usageRetentionYears: 3,
        unattributedUsage: 'reject',
      },
      maxConnections: 100,
      maxConnectionsPerAddress: 20,
      gateway: 'stripe',
      gateways: {
        sandbox: { server: { baseUrl: 'http://127.0.0.1:4010', secret: 'sandbox' } },
        stripe: {
          publishableKey: 'pk_live_abc',
          secretKey: 'sk_live_abc',
          webhookSecret: 'whsec_abcdefgh',
          baseUrl: 'https://stripe.example.com',
        },
        paypal: {
          clientId: PAYPAL.PAYPAL_CLIENT_ID,
          clientSecret: PAYPAL.PAYPAL_CLIENT_SECRET,
          webhookId: '1JE4291016473214C',
          baseUrl: 'https://api-m.sandbox.paypal.com',
        },
      },
      gatewayFiles: ['sandbox-gateway.db'],
      ...{ charges: 'held', gatewayLagSeconds: 11_000, marksCheckSeconds: 90, marksCheck: 'on' },
      gatewayTimeoutMs: 5_000,
      webhookAllowedHosts: ['hooks.internal:8080', 'hooks.example.com'],
      ...{ signInProviders: [], signInAllowedHosts: [], signInTimeoutMs: 3_000 },
      smtpUrl: 'smtps://mail.example.com',
      mailFrom: { name: 'Pay', address: 'a@example.com' },
      failpoints: [],
    });
  });

  it('treats an empty or blank variable as unset, and trims values', () => {
    expect(readConfig(GATEWAYS, { PORT: '', HOST: '  ', DATABASE_URL: '', OPERATOR_KEY: ' ', LOG_LEVEL: '' })).toEqual(
      readConfig(GATEWAYS, {}),
    );
    expect(readConfig(GATEWAYS, { PORT: ' 80 ', CORS_ORIGINS: ' , ' })).toMatchObject({ port: 80, corsOrigins: [] });
  });

  it('accepts a role that does part of the work only with a database that other processes can reach', () => {
    const databaseUrl = 'postgres://paydesk:secret@database/paydesk';
    for (const role of ['api', 'worker']) {
      expect(problemsOf({ ROLE: role, DATABASE_URL: databaseUrl })).toEqual([]);
      expect(problemsOf({ ROLE: role })).toEqual([
        `ROLE=${role} needs DATABASE_URL: the embedded PostgreSQL belongs to one process, which has to do everything`,
      ]);
    }
    expect(problemsOf({ ROLE: 'all' })).toEqual([]);
    expect(problemsOf({ ROLE: 'Worker' })).toEqual(['ROLE must be one of api, worker, all']);
    expect(problemsOf({ UNATTRIBUTED_USAGE: 'keep' })).toEqual(['UNATTRIBUTED_USAGE must be one of accept, reject']);
  });

  it('takes an address with a path and a port as PUBLIC_URL, and follows PORT without one', () => {
    const read = (environment: Record<string, string>) => readConfig(GATEWAYS, environment).publicUrl;
    expect(read({ PORT: '4000' })).toBe('http://localhost:4000');
    expect(read({ PUBLIC_URL: 'https://billing.example.com:8443/a/' })).toBe('https://billing.example.com:8443/a');
    for (const url of [
      'billing.example.com',
      'ftp://a.example',
      'https://a:b@c.example',
      'https://a.example/?',
      'x#',
    ]) {
      expect(problemsOf({ PUBLIC_URL: url })).toHaveLength(1);
    }
  });

  it('takes REQUIRE_VERIFIED_EMAIL as true or false, and nothing else', () => {
    expect(readConfig(GATEWAYS, { REQUIRE_VERIFIED_EMAIL: 'false' }).requireVerifiedEmail).toBe(false);
    for (const value of ['1', 'yes', 'TRUE', 'on'])
      expect(problemsOf({ REQUIRE_VERIFIED_EMAIL: value })).toEqual(['REQUIRE_VERIFIED_EMAIL must be true or false']);
  });

  it('makes the data directory absolute', () => {
    expect(readConfig(GATEWAYS, { DATA_DIR: 'elsewhere' }).dataDirectory).toBe(resolve('elsewhere'));
  });

  it.each([
    ['PORT', 0, 65_535],
    ['DATABASE_POOL_SIZE', 3, 100],
    ['ACCESS_TOKEN_LIFETIME_SECONDS', 1, 31_536_000],
    ['SESSION_IDLE_SECONDS', 1, 31_536_000],
    ['SESSION_LIFETIME_SECONDS', 1, 31_536_000],
    ['RATE_LIMIT_PER_MINUTE', 1, 2_000_000_000],
    ['USAGE_RETENTION_YEARS', 1, 100],
    ['SIGN_UPS_PER_HOUR', 1, 2_000_000_000],
    ['LOGINS_PER_HOUR', 1, 2_000_000_000],
    ['REFUSED_CHARGES_PER_INVOICE', 1, 1_000_000],
    ['REFUSED_CHARGES_PER_CARD', 1, 1_000_000],
    ['MAX_CONNECTIONS', 1, 1_000_000],
    ['MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000],
    ['GATEWAY_TIMEOUT_MS', 100, 120_000],
    ['GATEWAY_LAG_SECONDS', 1, 86_400],
    ['CONFIRMATION_WINDOW_SECONDS', 5, 86_400],
    ['MARKS_CHECK_SECONDS', 1, 86_400],
  ])('accepts %s from %d to %d only', (name, min, max) => {
    for (const value of [min, max]) expect(problemsOf({ [name]: String(value) })).toEqual([]);
    const outside = [
      String(min - 1),
      String(max + 1),
      '-1',
      '1.5',
      '1e3',
      '0x10',
      'abc',
      '12 000',
      '99999999999',
      'NaN',
    ];
    for (const value of outside) {
      expect(problemsOf({ [name]: value })).toEqual([`${name} must be a whole number from ${min} to ${max}`]);
    }
  });

  it.each([
    ['LOG_LEVEL', ['verbose', 'INFO', '30']],
    [
      'DATABASE_URL',
      ['mysql://localhost/paydesk', 'localhost', 'postgres:/x', 'postgres://u:p@ss word@[x/db', 'postgres://a b/c'],
    ],
    [
      'OPERATOR_KEY',
      [
        'secret',
        'opk_short',
        `opk_${'a'.repeat(31)}`,
        `opk_${'a'.repeat(201)}`,
        `opk_${'ä'.repeat(40)}`,
        'a'.repeat(40),
      ],
    ],
    [
      'WEBHOOK_ALLOWED_HOSTS',
      ['https://hooks.internal', 'hooks.internal/', 'user@hooks.internal', '*.internal', 'hooks:443', 'a b'],
    ],
    [
      'CORS_ORIGINS',
      [
        '*',
        'null',
        'app.example.com',
        'https://app.example.com/',
        'https://app.example.com/path',
        'HTTPS://APP.example.com',
      ],
    ],
    [
      'TRUSTED_PROXIES',
      ['proxy', '10.0.0.0/33', '10.0.0.0/0', '10.0.0/8', '::1/129', '1.2.3.4/8/8', '*', '10.0.0.1/x', 'true'],
    ],
  ])('refuses an invalid %s', (name, values) => {
    for (const value of values)
      expect([value, problemsOf({ [name]: value })]).toEqual([value, [expect.stringContaining(name)]]);
  });

  it('requires a metrics token except on loopback', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(problemsOf({ METRICS_PORT: '9464', METRICS_HOST: host })).toEqual([]);
    }
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'metrics.internal', '127.evil.example']) {
      expect(problemsOf({ METRICS_PORT: '9464', METRICS_HOST: host })).toEqual([
        expect.stringContaining('METRICS_TOKEN'),
      ]);
      expect(problemsOf({ METRICS_PORT: '9464', METRICS_HOST: host, METRICS_TOKEN: 'a'.repeat(16) })).toEqual([]);
    }
    expect(problemsOf({ METRICS_TOKEN: 'short' })).toEqual([expect.stringContaining('METRICS_TOKEN')]);
  });

  it('accepts every log level', () => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) {
      expect(readConfig(GATEWAYS, { LOG_LEVEL: level }).logLevel).toBe(level);
    }
  });

  it('accepts a database at a Unix socket', () => {
    for (const url of [
      'postgres:///paydesk?host=/run/postgresql',
      'postgresql://paydesk@%2Frun%2Fpostgresql/paydesk',
    ]) {
      expect(problemsOf({ DATABASE_URL: url })).toEqual([]);
    }
  });

  it('lets only gateways for cards be chosen', () => {
    const choices = GATEWAYS.filter(({ methods }) => methods.includes('Card')).map(({ name }) => name);
    expect(problemsOf({ GATEWAY: 'bank' })).toEqual([`GATEWAY must be one of ${choices.join(', ')}`]);
    expect(choices).toContain(readConfig(GATEWAYS, {}).gateway);
    for (const { name } of GATEWAYS) {
      const isRefused = problemsOf({ GATEWAY: name }).some((problem) => problem.startsWith('GATEWAY must be one of'));
      expect([name, isRefused]).toEqual([name, !choices.includes(name)]);
    }
  });

  it('reads a secret from a file instead, without the trailing line break', () => {
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-config-'));
    const path = join(folder, 'key');
    writeFileSync(path, 'sk_test_from_a_file\n');
    expect(readConfig(GATEWAYS, { STRIPE_SECRET_KEY_FILE: path }).gateways.stripe).toMatchObject({
      secretKey: 'sk_test_from_a_file',
    });
    const both = { STRIPE_SECRET_KEY_FILE: path, STRIPE_SECRET_KEY: 'sk_test_abc' };
    expect(problemsOf(both)).toEqual(['STRIPE_SECRET_KEY and STRIPE_SECRET_KEY_FILE cannot be set together']);
    const missing = { STRIPE_WEBHOOK_SECRET_FILE: join(folder, 'none') };
    expect(problemsOf(missing)).toEqual(['STRIPE_WEBHOOK_SECRET_FILE must name a file that can be read']);
    rmSync(folder, { recursive: true });
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      NODE_ENV: 'production',
      PORT: '70000',
      DATABASE_POOL_SIZE: '2',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://localhost/paydesk',
      OPERATOR_KEY: 'secret',
      CORS_ORIGINS: '*,app',
      TRUSTED_PROXIES: 'proxy',
      SANDBOX_GATEWAY_URL: 'sandbox',
      FAILPOINTS: 'after_intent',
    });
    const names = problems.map((problem) => problem.split(/[: ]/, 1)[0]);
    expect(names.toSorted()).toEqual([
      'CORS_ORIGINS',
      'CORS_ORIGINS',
      'DATABASE_POOL_SIZE',
      'DATABASE_URL',
      'FAILPOINTS',
      'LOG_LEVEL',
      'OPERATOR_KEY',
      'PORT',
      'SANDBOX_GATEWAY_URL',
      'SANDBOX_GATEWAY_URL',
      'TRUSTED_PROXIES',
    ]);
  });

  it('shows no secret in its messages', () => {
    const secrets = {
      OPERATOR_KEY: 'hush-operator',
      DATABASE_URL: 'mysql://paydesk:hush-database@localhost',
      SANDBOX_GATEWAY_SECRET: 'hush-sandbox',
    };
    expect(problemsOf(secrets)).toHaveLength(3);
    expect(problemsOf(secrets).join()).not.toContain('hush');
  });
});

describe('in production readConfig', () => {
  const production = { NODE_ENV: 'production', TRUSTED_PROXIES: '10.0.0.1' };

  it('requires only a declared proxy', () => {
    expect(readConfig(GATEWAYS, production)).toMatchObject({ production: true, trustedProxies: ['10.0.0.1'] });
  });

  it('refuses to start without a proxy that terminates TLS', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES must name the proxy/),
    ]);
  });

  it('refuses failpoints, which are for tests', () => {
    expect(problemsOf({ ...production, FAILPOINTS: 'after_intent' })).toEqual([expect.stringMatching(/^FAILPOINTS/)]);
    expect(problemsOf({ ...production, MARKS_CHECK: 'off' })).toEqual([expect.stringMatching(/^MARKS_CHECK=off/)]);
    expect(readConfig(GATEWAYS, { FAILPOINTS: 'after_intent, after_settle' }).failpoints).toEqual([
      'after_intent',
      'after_settle',
    ]);
  });

  it('refuses a shorter hold than the gateways need, and fewer comparisons', () => {
    expect(readConfig(GATEWAYS, production)).toMatchObject({ gatewayLagSeconds: 60, marksCheckSeconds: 60 });
    expect(problemsOf({ ...production, GATEWAY_LAG_SECONDS: '59', MARKS_CHECK_SECONDS: '59' })).toEqual([
      expect.stringMatching(/^GATEWAY_LAG_SECONDS must be a whole number from 60 /),
      expect.stringMatching(/^MARKS_CHECK_SECONDS must be a whole number from 60 /),
    ]);
  });

  // Security (Starting): There are no default secrets
  it('has no default secrets: what is not set is generated on the first start', () => {
    const { operatorKey, gateways, databaseUrl } = readConfig(GATEWAYS, production);
    expect([operatorKey, gateways.sandbox, databaseUrl]).toEqual([undefined, { server: null }, undefined]);
  });
});
