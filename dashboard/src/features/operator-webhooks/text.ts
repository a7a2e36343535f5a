import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useOperatorWebhooksText = textOf<typeof messages>('features/operator-webhooks');
