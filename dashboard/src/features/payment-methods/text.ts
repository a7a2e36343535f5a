import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useMethodsText = textOf<typeof messages>('features/payment-methods');
