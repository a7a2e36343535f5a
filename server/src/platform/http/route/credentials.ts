/** `Bearer <token>`, or the bare token as the specification's label sample sends it (5.3). Null for anything else. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^Bearer [^ ]+$/.test(header)) return header.slice('Bearer '.length);
  const [first, second, ...rest] = header.trim().split(/ +/);
  if (second === undefined) return first || null;
  return first?.toLowerCase() === 'bearer' && rest.length === 0 ? second : null;
}
