import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appSecurity = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/security',
  validateSearch: searchOf('demanded'),
  component: lazyRouteComponent(() => import('../../features/security/security-page.tsx'), 'SecurityPage'),
});
