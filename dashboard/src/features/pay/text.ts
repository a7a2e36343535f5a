import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const usePayText = textOf<typeof messages>('features/pay');
