import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appSettings = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/settings',
  component: lazyRouteComponent(() => import('../../features/settings/settings-page.tsx'), 'SettingsPage'),
});
