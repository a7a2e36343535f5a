import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleEvents = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/events',
  validateSearch: searchOf('perPage', 'cursor', 'companyId', 'type', 'startAt', 'endAt'),
  component: lazyRouteComponent(() => import('../../features/events/events-page.tsx'), 'EventsPage'),
});
