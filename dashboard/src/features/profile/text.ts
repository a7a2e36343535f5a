import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useProfileText = textOf<typeof messages>('features/profile');
