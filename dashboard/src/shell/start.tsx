import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query.ts';
import { followOtherTabs, resumeSession } from '../api/session.ts';
import { speakTo } from '../i18n/language.ts';
import { settleTexts } from '../i18n/text.ts';
import type { appRoutes } from '../routes/app/tree.ts';
import type { consoleRoutes } from '../routes/console/tree.ts';
import '../styles/base.css';
import { ToastProvider } from '../ui/toast/toast.tsx';
import { followDeployments } from './deployments.ts';
import { followFragment, takeFragment } from './fragment.ts';
import { createAppRouter } from './router.ts';
import { applyTheme } from './theme.ts';

/**
 * Starts an app: the session that the browser's cookies grant comes first, so that no page is shown to nobody.
 * @param more - addresses that no page links to
 */
export async function start(
  app: 'app' | 'console',
  routes: typeof appRoutes | typeof consoleRoutes,
  more: readonly AnyRoute[] = [],
): Promise<void> {
  takeFragment();
  followFragment();
  applyTheme();
  const loginPath = `/${app}/login`;
  const queryClient = createQueryClient(loginPath);
  const router = createAppRouter([...routes, ...more], queryClient);
  followOtherTabs(loginPath);
  followDeployments(router);
  const session = await resumeSession(app).catch(() => null);
  speakTo(session?.user);
  // React delays what follows a placeholder by 300 ms, so the first page is rendered when its code and texts are there.
  await router.load();
  await settleTexts();
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id root.');
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
