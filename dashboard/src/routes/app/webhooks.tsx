import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appWebhooks = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/webhooks',
  component: lazyRouteComponent(() => import('../../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
