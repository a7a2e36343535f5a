import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerHostedPage } from './hosted-page.routes.ts';

/** The pages on which invoices are read and paid without a login. */
export const hostedPage = { routes: registerHostedPage } satisfies AnyFeature;
