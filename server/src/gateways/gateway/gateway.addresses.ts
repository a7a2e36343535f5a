/** Reads the address of a gateway's API. @returns null when the text is not an http or https URL without a path and a login */
export function readApiBase(text: string): URL | null {
  const base = URL.parse(text);
  const isBaseUrl = base !== null && /^https?:$/.test(base.protocol) && base.pathname === '/';
  return isBaseUrl && base.search === '' && base.username === '' && base.hash === '' ? base : null;
}
