import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useOperatorHomeText = textOf<typeof messages>('features/operator-home');
