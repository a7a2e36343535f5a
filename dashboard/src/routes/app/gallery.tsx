import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root.tsx';

/** Makes the address where every control is shown in every state. Only `npm run dev` has it. */
export function createGalleryRoute() {
  return createRoute({
    getParentRoute: () => rootRoute,
    path: '/app/gallery',
    component: lazyRouteComponent(() => import('../../ui/gallery/gallery.tsx'), 'Gallery'),
  });
}
