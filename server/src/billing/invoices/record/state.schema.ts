import { oneOfRule } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';

const STATES = ['open', 'paid', 'credited', 'void'] as const;
export type InvoiceState = (typeof STATES)[number];
/** The states by which lists can be filtered. */
export const STATE_FILTERS = [...STATES, 'overdue'] as const;

/** The state of an invoice. */
export const state = Type.Enum(STATES, {
  description:
    '`open`: something is due. `paid`. `credited`: credit notes alone cover all of it. `void`. `status` beside it tells of charges alone.',
  examples: ['open'],
});

/** Fixed when the invoice is issued. */
export const reverseCharge = Type.Boolean({
  description: 'Whether the buyer owes the tax in place of the seller; the PDF says so. As it was at the issue.',
  examples: [false],
});

/** The filter of lists by state. */
export const stateFilter = text({
  required: true,
  rule: oneOfRule(STATE_FILTERS),
  description: `${STATE_FILTERS.join(', ')}; in any case. \`overdue\`: open, and past \`dueAt\`.`,
  examples: ['overdue'],
});
