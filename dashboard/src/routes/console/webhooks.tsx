import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consoleWebhooks = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/webhooks',
  validateSearch: searchOf('page'),
  component: lazyRouteComponent(() => import('../../features/webhooks/webhooks-page.tsx'), 'OperatorWebhooksPage'),
});
