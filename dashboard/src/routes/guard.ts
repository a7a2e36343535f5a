import { redirect } from '@tanstack/react-router';
import { currentSession } from '../api/session.ts';

/** Leads to the login of the app, and from there back, unless somebody is logged in. */
export function demandSession(
  { location }: { location: { href: string } },
  loginPath: '/app/login' | '/console/login',
): void {
  const session = currentSession();
  // The staff have their pages in the console.
  if (loginPath === '/app/login' && session?.user?.staff_role != null) {
    throw redirect({ href: '/console', reloadDocument: true });
  }
  if (session !== null) return;
  const home = loginPath.replace('/login', '');
  throw redirect({ to: loginPath, search: location.href === home ? {} : { return_to: location.href }, replace: true });
}

/** Leads whoever is logged in on from the login, unless the login has to say why a sign-in has failed. */
export function demandNoSession(search: { return_to?: string; error?: string }, home: '/app' | '/console'): void {
  const session = currentSession();
  if (session === null || search.error !== undefined) return;
  throw redirect({ href: returnPath(search.return_to, home), replace: true });
}

/**
 * The path to go to after the login. Only a path of the same app is taken, so that a link to the login can't lead elsewhere.
 *
 * @param wanted - the `return_to` of the address, written by anybody
 */
export function returnPath(wanted: string | undefined, home: '/app' | '/console'): string {
  if (wanted === undefined || !URL.canParse(wanted, location.origin)) return home;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  const isOfApp = pathname === home || pathname.startsWith(`${home}/`);
  return wanted.startsWith('/') && origin === location.origin && isOfApp ? pathname + search + hash : home;
}
