/**
 * Who an access token is of: the person, key or customer, and the company. The pages only compare it; what it may do is the service's to
 * say. The tokens are JSON Web Tokens (RFC 7519).
 */
export function identityOf(accessToken: string): string {
  const [, payload = ''] = accessToken.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as { sub?: string; company_id?: string | null };
  return JSON.stringify([claims.sub, claims.company_id]);
}
