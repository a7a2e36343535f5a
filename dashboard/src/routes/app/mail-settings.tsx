import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appLayout } from './layout.tsx';

export const appMailSettings = createRoute({
  getParentRoute: () => appLayout,
  path: '/app/mail-settings',
  component: lazyRouteComponent(
    () => import('../../features/mail-settings/mail-settings-page.tsx'),
    'MailSettingsPage',
  ),
});
