import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useDisputesText = textOf<typeof messages>('features/disputes');
