import type { QueryClient } from '@tanstack/react-query';
import { type AnyRoute, createRouter } from '@tanstack/react-router';
import { parseSearch, writeSearch } from '../lists/search.ts';
import type { appRoutes } from '../routes/app/tree.ts';
import type { consoleRoutes } from '../routes/console/tree.ts';
import { rootRoute } from '../routes/root.tsx';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

/** The addresses of both apps, of which a page has those of one: links are checked against all. */
type AllRoutes = [...typeof appRoutes, ...typeof consoleRoutes];

/** Creates the router of an app. Back returns to the place on the page where the reader was. */
export function createAppRouter(routes: readonly AnyRoute[], queryClient: QueryClient) {
  return createRouter({
    routeTree: rootRoute.addChildren(routes as unknown as AllRoutes),
    context: { queryClient },
    parseSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    // The cache of the API's answers decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
