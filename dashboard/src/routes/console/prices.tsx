import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { consoleLayout } from './layout.tsx';

export const consolePrices = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/prices',
  validateSearch: searchOf('page', 'perPage', 'path', 'currency', 'companyId', 'at'),
  component: lazyRouteComponent(() => import('../../features/prices/prices-page.tsx'), 'PricesPage'),
});

export const consolePrice = createRoute({
  getParentRoute: () => consoleLayout,
  path: '/console/prices/$priceId',
  component: lazyRouteComponent(() => import('../../features/prices/price-page.tsx'), 'PricePage'),
});
