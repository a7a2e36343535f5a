import { createGalleryRoute } from './routes/app/gallery.tsx';
import { appRoutes } from './routes/app/tree.ts';
import { start } from './shell/start.tsx';

await start('app', appRoutes, import.meta.env.MODE === 'development' ? [createGalleryRoute()] : []);
