import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleKeys = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/keys',
  validateSearch: searchOf('page', 'perPage'),
  component: lazyRouteComponent(
    () => import('../../features/operator-keys/operator-keys-page.tsx'),
    'OperatorKeysPage',
  ),
});
