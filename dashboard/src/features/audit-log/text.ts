import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useAuditLogText = textOf<typeof messages>('features/audit-log');
