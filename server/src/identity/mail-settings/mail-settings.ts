import type { AnyFeature } from '../../platform/feature/feature.ts';
import { registerMailSettingsRoutes } from './mail-settings.routes.ts';

/** Who gets a company's mails about money, and which. */
export const mailSettings = { routes: registerMailSettingsRoutes } satisfies AnyFeature;
