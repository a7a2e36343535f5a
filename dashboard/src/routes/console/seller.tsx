import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { consoleLayout } from './layout.tsx';

export const consoleSeller = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/seller',
  component: lazyRouteComponent(() => import('../../features/seller/seller-page.tsx'), 'SellerPage'),
});
