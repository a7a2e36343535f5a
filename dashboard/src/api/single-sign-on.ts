/**
 * Leads the browser to a sign-in provider, and from there back to a page of this service.
 *
 * @param provider - its name, as somebody has typed it
 * @param returnTo - the path to come back to
 * @returns false if there is no provider with this name
 */
export async function goToProvider(provider: string, returnTo: string): Promise<boolean> {
  const path = `/auth/oidc/${encodeURIComponent(provider)}/start?return_to=${encodeURIComponent(returnTo)}`;
  // The answer leads to the provider, or back here with an error: it is only followed by the browser itself.
  const { type } = await fetch(path, { redirect: 'manual' });
  if (type !== 'opaqueredirect') return false;
  location.assign(path);
  return true;
}
