import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useOperatorKeysText = textOf<typeof messages>('features/operator-keys');
