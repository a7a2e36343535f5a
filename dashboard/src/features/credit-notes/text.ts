import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useCreditNotesText = textOf<typeof messages>('features/credit-notes');
