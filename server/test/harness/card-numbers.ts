/**
 * Appends the check digit that makes the digits a card number. It tries each digit and does not use the product's
 * algorithm.
 */
export function withCheckDigit(digits: string): string {
  for (let checkDigit = 0; checkDigit <= 9; checkDigit += 1) {
    if (longHandLuhnSum(`${digits}${checkDigit}`) % 10 === 0) return `${digits}${checkDigit}`;
  }
  throw new Error('Ten check digits were tried and none fits.');
}

/** ISO/IEC 7812-1: counted from the right, every second digit is doubled and replaced by the sum of its digits. */
function longHandLuhnSum(number: string): number {
  const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  let sum = 0;
  for (let fromRight = 1; fromRight <= number.length; fromRight += 1) {
    const digit = Number(number[number.length - fromRight]);
    sum += fromRight % 2 === 0 ? (DOUBLED[digit] ?? 0) : digit;
  }
  return sum;
}
