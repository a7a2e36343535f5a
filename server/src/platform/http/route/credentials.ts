/** `Bearer <token>`, or the bare token, as clients of the labels send it. Null for anything else. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^Bearer [^ ]+$/.test(header)) return header.slice('Bearer '.length);
  const [first, second, ...rest] = header.trim().split(/ +/);
  if (second === undefined) return first || null;
  return first?.toLowerCase() === 'bearer' && rest.length === 0 ? second : null;
}
