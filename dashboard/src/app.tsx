import { appRoutes } from './routes/app/tree.ts';
import { start } from './shell/start.tsx';

await start('app', appRoutes);
