import type { Clock } from '../../platform/calendar/clock.ts';
import type { AnyFeature } from '../../platform/feature/feature.ts';
import { itemEvents } from './items.events.ts';
import { registerItemRoutes } from './items.routes.ts';

/** One-off items, which the next invoice takes. */
export const items = {
  routes: (server, { clock }: { clock: Clock }) => registerItemRoutes(server, { clock }),
  events: itemEvents.declarations,
} satisfies AnyFeature;
