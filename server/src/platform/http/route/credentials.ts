import type { FastifyRequest } from 'fastify';

/** `Bearer <token>`, or the bare token, as clients of the labels send it. Null for anything else. */
export function readBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (/^Bearer [^ ]+$/.test(header)) return header.slice('Bearer '.length);
  const [first, second, ...rest] = header.trim().split(/ +/);
  if (second === undefined) return first || null;
  return first?.toLowerCase() === 'bearer' && rest.length === 0 ? second : null;
}

/** The value of a cookie of the request; null when there is none, or it is empty. */
export function readCookie({ headers }: FastifyRequest, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [first = '', ...rest] = pair.trim().split('=');
    if (first === name) return rest.join('=') || null;
  }
  return null;
}
