import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appUsage = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/usage',
  validateSearch: searchOf('page', 'perPage', 'from', 'to', 'granularity', 'timezone', 'path'),
  component: lazyRouteComponent(() => import('../../features/usage/usage-page.tsx'), 'UsagePage'),
});
