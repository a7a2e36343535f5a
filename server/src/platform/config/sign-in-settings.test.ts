import { expect, it } from 'vitest';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { readConfig } from './config.ts';

const COMPANY = '0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40';
const ACME = {
  SIGN_IN_PROVIDERS: 'acme-eu',
  SIGN_IN_ACME_EU_ISSUER: 'https://login.acme.example',
  SIGN_IN_ACME_EU_CLIENT_ID: 'paydesk',
  SIGN_IN_ACME_EU_CLIENT_SECRET: 'Not-to-be-printed',
};

function problemsOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(GATEWAYS, environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it('the environment sets up providers of single sign-on', () => {
  const environment = {
    ...ACME,
    SIGN_IN_PROVIDERS: 'acme-eu, google',
    SIGN_IN_ACME_EU_EMAIL_DOMAINS: 'acme.example, acme.test',
    SIGN_IN_ACME_EU_COMPANY_ID: COMPANY.toUpperCase(),
    SIGN_IN_GOOGLE_ISSUER: 'http://localhost:4000',
    SIGN_IN_GOOGLE_CLIENT_ID: 'id',
    SIGN_IN_GOOGLE_CLIENT_SECRET: 'secret',
    SIGN_IN_ALLOWED_HOSTS: 'Login.internal:8443',
  };
  const { signInProviders, signInAllowedHosts } = readConfig(GATEWAYS, environment);
  expect(signInAllowedHosts).toEqual(['login.internal:8443']);
  expect(signInProviders).toEqual([
    {
      name: 'acme-eu',
      issuer: 'https://login.acme.example',
      clientId: 'paydesk',
      clientSecret: 'Not-to-be-printed',
      emailDomains: ['acme.example', 'acme.test'],
      companyId: COMPANY,
    },
    {
      name: 'google',
      issuer: 'http://localhost:4000',
      clientId: 'id',
      clientSecret: 'secret',
      emailDomains: [],
      companyId: null,
    },
  ]);
});

it.each([
  [{ SIGN_IN_ACME_EU_ISSUER: undefined }, 'SIGN_IN_ACME_EU_ISSUER must be a URL'],
  [{ SIGN_IN_ACME_EU_ISSUER: 'http://login.acme.example' }, 'SIGN_IN_ACME_EU_ISSUER must begin with https://'],
  [{ SIGN_IN_ACME_EU_CLIENT_ID: ' ' }, 'SIGN_IN_ACME_EU_CLIENT_ID is required'],
  [{ SIGN_IN_ACME_EU_CLIENT_SECRET: undefined }, 'SIGN_IN_ACME_EU_CLIENT_SECRET is required'],
  [{ SIGN_IN_ACME_EU_EMAIL_DOMAINS: 'acme.example,@acme' }, 'SIGN_IN_ACME_EU_EMAIL_DOMAINS: "@acme"'],
  [{ SIGN_IN_ACME_EU_COMPANY_ID: 'acme' }, 'SIGN_IN_ACME_EU_COMPANY_ID must be the id of a company'],
  [{ SIGN_IN_PROVIDERS: 'acme-eu,acme_eu' }, 'SIGN_IN_PROVIDERS: "acme_eu"'],
  [{ SIGN_IN_PROVIDERS: 'acme eu' }, 'SIGN_IN_PROVIDERS: "acme eu"'],
  [{ SIGN_IN_ALLOWED_HOSTS: 'https://login.internal' }, 'SIGN_IN_ALLOWED_HOSTS: "https://login.internal"'],
])('%o is reported as a problem, without the secret', (changes, problem) => {
  const problems = problemsOf({ ...ACME, ...changes });
  expect(problems).toContain(problem);
  expect(problems).not.toContain('Not-to-be-printed');
});
