import { consoleRoutes } from './routes/console/tree.ts';
import { start } from './shell/start.tsx';

await start('console', consoleRoutes);
