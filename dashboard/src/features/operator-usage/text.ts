import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useOperatorUsageText = textOf<typeof messages>('features/operator-usage');
