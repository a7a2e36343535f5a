import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useTeamText = textOf<typeof messages>('features/team');
