import { createRoute } from '@tanstack/react-router';
import { ConsoleLayout } from '../../shell/console-layout.tsx';
import { demandSession } from '../guard.ts';
import { rootRoute } from '../root.tsx';

/** Everything of the operator that needs somebody to be logged in. */
export const consoleLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'console',
  beforeLoad: (context) => demandSession(context, '/console/login'),
  component: ConsoleLayout,
});
