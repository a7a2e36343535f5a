import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useUsageText = textOf<typeof messages>('features/usage');
