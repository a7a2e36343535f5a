import { documentedRule } from '../http/schema/text-rules.ts';

/**
 * ISO 4217 list one, up to amendment 180 (1 January 2026), by the digits of the minor unit. Metals, test codes and units of
 * account that have no minor unit (XAU, XTS, XDR, …) can't be billed. A code that ISO withdraws later stays in this table:
 * issued invoices still carry it.
 */
const CODES_BY_MINOR_UNIT_DIGITS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU
      CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES
      KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR
      NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP
      TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const minorUnitDigitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_MINOR_UNIT_DIGITS).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(digits)] as const),
  ),
);

/** Every code that can be billed, sorted. */
export const currencyCodes: readonly string[] = [...minorUnitDigitsByCode.keys()].sort();

/** Whether the text is an ISO 4217 code that can be billed, in upper case: `usd` is not. */
export function isCurrency(code: string): boolean {
  return minorUnitDigitsByCode.has(code);
}

/** The rule for a field that takes a currency code. */
export const checkCurrency = documentedRule({ pattern: currencyCodes.join('|') }, (code) =>
  isCurrency(code) ? [] : ['must be an ISO 4217 currency code in capitals'],
);

/** How many digits the minor unit has: 2 for USD (a cent is 0.01), 0 for JPY. Throws a RangeError for an unknown currency. */
export function minorUnitDigits(code: string): number {
  const digits = minorUnitDigitsByCode.get(code);
  if (digits === undefined) throw new RangeError('Not an ISO 4217 currency code that can be billed.');
  return digits;
}
