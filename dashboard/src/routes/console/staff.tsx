import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleStaff = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/staff',
  validateSearch: searchOf('page', 'perPage'),
  component: lazyRouteComponent(() => import('../../features/staff/staff-page.tsx'), 'StaffPage'),
});
