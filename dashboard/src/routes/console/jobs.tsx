import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleJobs = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/jobs',
  validateSearch: searchOf('page', 'perPage', 'state', 'kind'),
  component: lazyRouteComponent(() => import('../../features/jobs/jobs-page.tsx'), 'JobsPage'),
});
