import { validate as isUuid } from 'uuid';
import { findIssuerProblem } from '../outbound/issuers.ts';

/** A provider of single sign-on that the environment sets up. */
export type ConfiguredProvider = {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Empty for all. */
  emailDomains: string[];
  companyId: string | null;
};

/** The part of the configuration about single sign-on. */
export type SignInSettings = {
  signInProviders: ConfiguredProvider[];
  /** Hosts, `host` or `host:port`, that providers may use even if private. */
  signInAllowedHosts: string[];
  /** How long a step of a sign-in waits for the provider, all requests together. */
  signInTimeoutMs: number;
};

/** The form of a provider's name. */
export const PROVIDER_NAME = /^[A-Za-z0-9][\w-]{0,62}$/;
const DOMAIN = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

type Read = {
  text: (name: string) => string | undefined;
  list: (name: string) => string[];
  secret: (name: string) => string | undefined;
};

/** Reads it, and adds what is wrong with it to `problems`. */
export function readSignInSettings(
  { text, list, secret }: Read,
  problems: string[],
): Omit<SignInSettings, 'signInTimeoutMs'> {
  const signInAllowedHosts = list('SIGN_IN_ALLOWED_HOSTS').map((host) => host.toLowerCase());
  for (const host of signInAllowedHosts) {
    if (host.includes('*') || URL.parse(`https://${host}`)?.host !== host) {
      problems.push(`SIGN_IN_ALLOWED_HOSTS: ${JSON.stringify(host)} is not a host such as login.internal:8443`);
    }
  }
  const prefixes = new Set<string>();
  const signInProviders = list('SIGN_IN_PROVIDERS').map((name): ConfiguredProvider => {
    const prefix = `SIGN_IN_${name.toUpperCase().replaceAll('-', '_')}`;
    if (!PROVIDER_NAME.test(name) || prefixes.has(prefix)) {
      problems.push(
        `SIGN_IN_PROVIDERS: ${JSON.stringify(name)} must consist of letters, digits, - or _, and must not be repeated`,
      );
    }
    prefixes.add(prefix);
    const provider = {
      name,
      issuer: text(`${prefix}_ISSUER`) ?? '',
      clientId: text(`${prefix}_CLIENT_ID`) ?? '',
      clientSecret: secret(`${prefix}_CLIENT_SECRET`) ?? '',
      emailDomains: list(`${prefix}_EMAIL_DOMAINS`),
      companyId: text(`${prefix}_COMPANY_ID`)?.toLowerCase() ?? null,
    };
    problems.push(...findProblems(provider, prefix, signInAllowedHosts));
    return provider;
  });
  return { signInProviders, signInAllowedHosts };
}

function findProblems(
  { issuer, clientId, clientSecret, emailDomains, companyId }: ConfiguredProvider,
  prefix: string,
  allowedHosts: readonly string[],
): string[] {
  const problems: string[] = [];
  const problemOfIssuer = findIssuerProblem(issuer, allowedHosts);
  if (problemOfIssuer !== null) problems.push(`${prefix}_ISSUER ${problemOfIssuer}`);
  if (clientId === '') problems.push(`${prefix}_CLIENT_ID is required`);
  if (clientSecret === '') problems.push(`${prefix}_CLIENT_SECRET is required`);
  for (const domain of emailDomains) {
    if (!DOMAIN.test(domain)) {
      problems.push(`${prefix}_EMAIL_DOMAINS: ${JSON.stringify(domain)} is not a domain such as example.com`);
    }
  }
  if (companyId !== null && !isUuid(companyId)) problems.push(`${prefix}_COMPANY_ID must be the id of a company`);
  return problems;
}
