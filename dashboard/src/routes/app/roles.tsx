import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appRoles = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/roles',
  validateSearch: searchOf('page', 'per_page'),
  component: lazyRouteComponent(() => import('../../features/roles/roles-page.tsx'), 'RolesPage'),
});
