import type { AnyRoute } from '@tanstack/react-router';
import { vi } from 'vitest';
import type { LifelikeCompany } from '../service/lifelike.ts';

export type App = 'app' | 'console';

/** An address of the site map: its pattern, such as `/app/invoices/$invoiceId`, and whether a session has to be open. */
export type Address = { app: App; pattern: string; isPublic: boolean };

/** Reads the addresses of both apps from their routers, so that none is listed by hand. */
export async function readAddresses(): Promise<Address[]> {
  // Modules of the pages read it when they are loaded.
  vi.stubGlobal('location', new URL('http://localhost/'));
  const [{ createRouter }, { rootRoute }, { appRoutes }, { consoleRoutes }] = await Promise.all([
    import('@tanstack/react-router'),
    import('../../src/routes/root.tsx'),
    import('../../src/routes/app/tree.ts'),
    import('../../src/routes/console/tree.ts'),
  ]);
  vi.unstubAllGlobals();
  const routeTree = rootRoute.addChildren([...appRoutes, ...consoleRoutes] as never) as unknown as AnyRoute;
  const { routesByPath } = createRouter({ routeTree, isServer: true });
  return Object.entries(routesByPath as Record<string, AnyRoute>).map(([pattern, route]) => ({
    app: pattern.startsWith('/console') ? 'console' : 'app',
    pattern,
    isPublic: (route.parentRoute as { id?: string } | undefined)?.id === rootRoute.id,
  }));
}

/** The values of an address's parameters. */
const VALUES: Record<string, (company: LifelikeCompany) => string> = {
  invoiceId: ({ invoiceId }) => invoiceId,
  companyId: ({ id }) => id,
  priceId: ({ priceId }) => priceId,
};

/** Fills in what an address names. @throws Error if nobody has said what that is */
export function fillIn(pattern: string, company: LifelikeCompany): string {
  return pattern.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = VALUES[name];
    if (value === undefined)
      throw new Error(`${pattern}: VALUES in dashboard/test/battery/addresses.ts lacks ${name}.`);
    return value(company);
  });
}
