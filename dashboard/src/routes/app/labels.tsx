import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../lists/search.ts';
import { appLayout } from './layout.tsx';

export const appLabels = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/labels',
  validateSearch: searchOf('name', 'sort', 'page'),
  component: lazyRouteComponent(() => import('../../features/labels/labels-page.tsx'), 'LabelsPage'),
});
