import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demandSession } from '../guard.ts';
import { rootRoute } from '../root.tsx';

/** Everything of the operator that needs somebody to be logged in. */
export const consoleLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  beforeLoad: (context) => demandSession(context, '/console/login'),
  // The login loads without the frame.
  component: lazyRouteComponent(() => import('../../shell/console-layout.tsx'), 'ConsoleLayout'),
});
