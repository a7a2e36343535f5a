import fc from 'fast-check';

const digits = (length: { minLength: number; maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), ...length });

/** Decimals as people write them, many of them exactly, just below or just above a half. */
export const decimalText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits({ minLength: 1, maxLength: 14 }).map((whole) => whole.replace(/^0+(?=.)/, '')),
    digits({ minLength: 0, maxLength: 5 }),
    fc.constantFrom('', '5', '50', '4999', '5001', '49', '51'),
  )
  .map(([sign, whole, fraction, tail]) => {
    const magnitude = fraction + tail === '' ? whole : `${whole}.${fraction}${tail}`;
    return /[1-9]/.test(magnitude) ? sign + magnitude : magnitude;
  });

/** The model with which the code is compared: it cuts the text off, and adds one if the first dropped digit is 5 or more. */
export function longHandRound(text: string, digitsKept: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.padEnd(digitsKept, '0').slice(0, digitsKept));
  const firstDropped = fraction[digitsKept] ?? '0';
  const rounded = '56789'.includes(firstDropped) ? kept + 1n : kept;
  return text.startsWith('-') ? -rounded : rounded;
}
