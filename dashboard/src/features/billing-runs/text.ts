import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useBillingRunsText = textOf<typeof messages>('features/billing-runs');
