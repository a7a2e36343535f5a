import { createRoute } from '@tanstack/react-router';
import { AppLayout } from '../../shell/app-layout.tsx';
import { demandSession } from '../guard.ts';
import { rootRoute } from '../root.tsx';

/** Everything of a company that needs somebody to be logged in. */
export const appLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: (context) => demandSession(context, '/app/login'),
  component: AppLayout,
});
