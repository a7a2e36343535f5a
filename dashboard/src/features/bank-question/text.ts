import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useBankQuestionText = textOf<typeof messages>('features/bank-question');
