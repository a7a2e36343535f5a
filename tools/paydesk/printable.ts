/** Replaces control characters: text from a gateway must not control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '�');
}
