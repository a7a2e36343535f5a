import { describe, expect, it } from 'vitest';
import { toBase32 } from '../secrets/base32.ts';
import { findTimeStep, timeStepOf, totpCode, totpUri } from './totp.ts';

/** RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890');
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

const at = (seconds: number) => new Date(seconds * 1000);

it.each(VECTORS)('%i seconds after 1970 the code is the last six digits of the one in RFC 6238', (seconds, code) => {
  expect(totpCode(SECRET, timeStepOf(at(seconds)))).toBe(code);
});

describe('a code', () => {
  const NOW = at(1_234_567_890);
  const current = timeStepOf(NOW);
  const find = (step: number, usedStep = 0) => findTimeStep(SECRET, totpCode(SECRET, step), NOW, usedStep);

  it.each([
    ['two steps ago', -2, false],
    ['of the step before', -1, true],
    ['of now', 0, true],
    ['of the next step', 1, true],
    ['two steps ahead', 2, false],
  ])('%s', (_name, drift, isAccepted) => {
    expect(find(current + drift)).toBe(isAccepted ? current + drift : null);
  });

  it('is refused when it or a newer one was used', () => {
    expect(find(current, current - 1)).toBe(current);
    expect(find(current, current)).toBeNull();
    expect(find(current - 1, current)).toBeNull();
  });

  it.each(['', '28708', '2870820', 'abcdef', '６６６６６６'])('that is malformed is refused: "%s"', (code) => {
    expect(findTimeStep(SECRET, code, NOW, 0)).toBeNull();
  });
});

it('secrets are written in base32 as RFC 4648 has it, without padding', () => {
  const written = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text)));
  expect(written).toEqual(['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
});

it('the URI names the service and the account, whatever they contain', () => {
  const uri = new URL(totpUri('MZXW6YTB', { issuer: 'Paydesk', account: 'ada+a:b@example.com' }));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Paydesk:ada%2Ba%3Ab%40example\.com\?/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'MZXW6YTB',
    issuer: 'Paydesk',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
