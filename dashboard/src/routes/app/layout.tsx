import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demandSession } from '../guard.ts';
import { rootRoute } from '../root.tsx';

/** Everything of a company that needs somebody to be logged in. */
export const appLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: (context) => demandSession(context, '/app/login'),
  // The login loads without the frame.
  component: lazyRouteComponent(() => import('../../shell/app-layout.tsx'), 'AppLayout'),
});
