import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useOperatorAuditLogText = textOf<typeof messages>('features/operator-audit-log');
