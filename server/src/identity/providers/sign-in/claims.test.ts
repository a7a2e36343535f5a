import { describe, expect, it } from 'vitest';
import { isOfDomains } from './claims.ts';

const GOOGLE = 'https://accounts.google.com';
const OTHER = 'https://login.example.com';
const provider = (issuer: string, emailDomains = ['example.com', 'Example.ORG']) => ({ issuer, emailDomains });
const identity = (hostedDomain?: unknown, email: string | null = 'ada@example.com') => ({ email, hostedDomain });

describe('the organization of an account (hd)', () => {
  it.each([GOOGLE, OTHER])('is one of the domains, at %s', (issuer) => {
    for (const domain of ['example.com', 'EXAMPLE.com', 'example.org']) {
      expect(isOfDomains(provider(issuer), identity(domain))).toBe(true);
    }
    for (const domain of ['example.net', 'sub.example.com', '', null, 7, ['example.com'], { 0: 'example.com' }]) {
      expect(isOfDomains(provider(issuer), identity(domain))).toBe(false);
    }
    expect(isOfDomains(provider(issuer), identity('example.com', 'ada@example.net'))).toBe(false);
    expect(isOfDomains(provider(issuer), identity('example.com', null))).toBe(false);
  });

  it('is demanded of Google alone', () => {
    expect(isOfDomains(provider(GOOGLE), identity())).toBe(false);
    expect(isOfDomains(provider(OTHER), identity())).toBe(true);
  });

  it('does not matter without domains', () => {
    for (const domain of [undefined, 'example.net', null]) {
      expect(isOfDomains(provider(GOOGLE, []), identity(domain))).toBe(true);
    }
  });
});
