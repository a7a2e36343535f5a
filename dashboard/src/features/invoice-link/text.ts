import { textOf } from '../../i18n/text.ts';
import type { messages } from './messages/en.ts';

export const useInvoiceLinkText = textOf<typeof messages>('features/invoice-link');
