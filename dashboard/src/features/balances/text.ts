import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useBalancesText = textOf<typeof messages>('features/balances');
