import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appTeam = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/team',
  validateSearch: searchOf('page', 'per_page'),
  component: lazyRouteComponent(() => import('../../features/team/team-page.tsx'), 'TeamPage'),
});
