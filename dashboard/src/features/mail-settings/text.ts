import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useMailSettingsText = textOf<typeof messages>('features/mail-settings');
