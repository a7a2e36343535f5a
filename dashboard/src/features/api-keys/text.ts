import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useApiKeysText = textOf<typeof messages>('features/api-keys');
