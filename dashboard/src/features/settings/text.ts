import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useSettingsText = textOf<typeof messages>('features/settings');
