import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appApiKeys = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/api-keys',
  validateSearch: searchOf('page', 'per_page'),
  component: lazyRouteComponent(() => import('../../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});
