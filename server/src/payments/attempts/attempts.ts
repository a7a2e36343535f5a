import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerInvoiceAttemptRoutes } from './attempts.routes.ts';

/** An invoice with its payments, their disputes and the state of its collection. */
export const invoiceAttempts = { routes: registerInvoiceAttemptRoutes } satisfies AnyFeature;
