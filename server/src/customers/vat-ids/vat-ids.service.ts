import { findCountryCode } from '../../platform/countries/countries.service.ts';

/**
 * The forms of VAT identification numbers, without the country's letters in front. Member states and Northern Ireland: European Commission,
 * VIES, frequently asked questions, "What is the format of VAT numbers?". GB: HMRC VATREG14000 and the forms of government departments (GD)
 * and health authorities (HA). CH: Federal Statistical Office, UID. NO: the register's organisation number, followed by MVA on invoices.
 */
const FORMS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  CH: /^E?\d{9}(MWST|TVA|IVA)?$/,
  NO: /^\d{9}(MVA)?$/,
};

const OUTSIDE_THE_EU = new Set(['GB', 'CH', 'NO']);

/** Countries whose numbers begin with other letters than their code, and territories that use another country's numbers. */
const PREFIXES: Record<string, string> = { EL: 'GR', XI: 'GB' };
const NUMBERS_OF: Record<string, string> = { MC: 'FR', IM: 'GB' };

/**
 * A tax number as it was entered, and what was recognized. `unknown`: the form of the country's numbers is not known
 * here.
 */
export type VatId = { number: string; country: string; form: 'good' | 'bad' | 'unknown' };

/**
 * Reads a VAT identification number of the country that is given beside it, or else of the country of its first letters. Null if there is
 * no number, or if neither gives a known country. Whether the number exists is not checked.
 */
export function readVatId(text: string, countryText: string): VatId | null {
  const number = text.toUpperCase().replaceAll(/[\s.\-/]/g, '');
  const written = findCountryCode(countryText);
  const beside = written === null ? null : (NUMBERS_OF[written] ?? written);
  if (text.trim() === '') return null;
  const letters = number.slice(0, 2);
  const inFront = PREFIXES[letters] ?? (letters in FORMS ? letters : null);
  const country = beside ?? inFront;
  if (country === null) return null;
  // French numbers may begin with any two letters, and numbers of unknown form with anything, so both can look like another country's.
  if (inFront !== null && inFront !== country && FORMS[inFront]?.test(number.slice(2))) {
    return { number, country, form: 'bad' };
  }
  const form = FORMS[country];
  if (form === undefined) return { number, country, form: isPlausible(number) ? 'unknown' : 'bad' };
  const prefix = country === 'GR' ? 'EL' : country;
  const own = inFront === country ? number.slice(2) : number;
  const isGood = form.test(own);
  return {
    number: isGood ? `${inFront === country ? letters : prefix}${own}` : number,
    country,
    form: isGood ? 'good' : 'bad',
  };
}

/** Whether the text can be a number of any form: letters or digits, with at least one digit. */
function isPlausible(number: string): boolean {
  return (number.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 4 && /\d/.test(number);
}

/**
 * Whether a buyer with this number owes the tax instead of the seller: its form is good or unknown, and it is not of the seller's country,
 * as far as the seller's number shows that.
 */
export function shiftsTaxToBuyer(buyer: VatId | null, sellerTaxId: string): boolean {
  if (buyer === null || buyer.form === 'bad') return false;
  const seller = readVatId(sellerTaxId, '');
  return seller?.form !== 'good' || seller.country !== buyer.country;
}

/** Returns the text for an invoice without tax whose buyer owes it (Directive 2006/112/EC, articles 196 and 226, 11a). */
export function reverseChargeWords(buyerTaxId: string, buyerCountry: string): string {
  const country = readVatId(buyerTaxId, buyerCountry)?.country;
  const isInTheEu = country !== undefined && country in FORMS && !OUTSIDE_THE_EU.has(country);
  const source = isInTheEu ? ' (Article 196 of Directive 2006/112/EC)' : '';
  return `Reverse charge: the recipient is liable for the tax${source}.`;
}
