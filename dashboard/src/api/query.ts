import { isPaydeskError } from '@paydesk/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { currentSession, leave } from './session.ts';

/**
 * Creates the cache of what the API has answered. A session that the service has ended, such as by a revocation elsewhere, leads to the
 * login; a company that demands a second factor of who has none leads to the page that sets one up.
 *
 * @param loginPath - of this app
 */
export function createQueryClient(loginPath: string): QueryClient {
  const onError = (error: unknown) => {
    const isOver = isPaydeskError(error) && (error.code === 'unauthenticated' || error.code === 'session_revoked');
    if (isOver && currentSession() !== null) leave(`${loginPath}?return_to=${encodeURIComponent(currentPath())}`);
    const isDemanded = isPaydeskError(error, 'second_factor_required') && error.status === 403;
    const securityPath = loginPath.replace('/login', '/security');
    if (isDemanded && location.pathname !== securityPath) location.replace(`${securityPath}?demanded=second_factor`);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The client repeats what is safe to repeat.
      queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}

function currentPath(): string {
  return location.pathname + location.search;
}
