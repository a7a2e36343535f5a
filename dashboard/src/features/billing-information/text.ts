import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useBillingText = textOf<typeof messages>('features/billing-information');
