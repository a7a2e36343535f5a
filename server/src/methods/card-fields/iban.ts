import { documentedRule } from '../../platform/http/schema/text-rules.ts';

/**
 * How long an IBAN is in each country of SEPA, from which alone direct debits are collected (EPC409-09, "EPC List of SEPA Scheme
 * Countries"; lengths from the IBAN Registry of SWIFT, ISO 13616). It stands here instead of a package, because packages for IBANs also
 * refuse what the national rules of a country refuse, which is left to the bank.
 */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 LU20 ' +
    'LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

/** Returns the IBAN without the spaces and dashes that people type, in capitals. */
export function plainIban(iban: string): string {
  return iban.replace(/[\s-]/g, '').toUpperCase();
}

/** Returns how long an IBAN of a country (ISO 3166-1, two letters) is; undefined outside of SEPA. */
export function ibanLength(country: string): number | undefined {
  return LENGTHS.get(country);
}

/** Checks an IBAN: a country of SEPA, its length, and the check digits (ISO 7064, MOD 97-10). No message repeats any part of it. */
export const checkIban = documentedRule({ pattern: '[\\s-]*[A-Za-z](?:[\\s-]*[0-9A-Za-z]){14,33}[\\s-]*' }, (typed) => {
  const iban = plainIban(typed);
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(iban)) return ['is not an IBAN'];
  const length = ibanLength(iban.slice(0, 2));
  if (length === undefined) return ['must be of a country of SEPA'];
  return iban.length === length && remainder(iban) === 1 ? [] : ['is not a valid IBAN'];
});

/** Letters count from 10 (A) to 35 (Z), after the country and the check digits have been moved to the end. */
function remainder(iban: string): number {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
