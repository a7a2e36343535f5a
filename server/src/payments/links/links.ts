import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerLinkRoutes } from './links.routes.ts';

/** The links with which invoices are read and paid without an account. */
export const invoiceLinks = { routes: registerLinkRoutes } satisfies AnyFeature;
