/** What features need to declare and to write mails about money. */

import type { AnyMailDeclaration } from '../../platform/feature/mail-declaration.ts';
import type { MoneyMailType } from './types.ts';

export { formatAmount, formatDay, formatMonth, formatPeriod } from '../templates/figures.ts';
export { writeAddress } from '../templates/names.ts';
export { MONEY_MAIL_TYPES, type MoneyMailType } from './types.ts';

/** A declared mail with its type, as far as writing it needs it. */
export type MoneyMail = { type: MoneyMailType } & Pick<AnyMailDeclaration<never>, 'texts' | 'files'>;
