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
    '`open`: an amount is due. `paid`: the invoice is paid. `credited`: credit notes alone cover the total. `void`: the ' +
    'invoice was voided. `status`, in contrast, only reports on charges.',
  examples: ['open'],
});

/** Fixed when the invoice is issued. */
export const reverseCharge = Type.Boolean({
  description:
    'Whether the buyer owes the tax in place of the seller (reverse charge), as it was when the invoice was issued. The PDF ' +
    'says so.',
  examples: [false],
});

/** The filter of lists by state. */
export const stateFilter = text({
  required: true,
  rule: oneOfRule(STATE_FILTERS),
  description: `Only invoices in this state: ${STATE_FILTERS.join(', ')}. \`overdue\`: open, and \`dueAt\` has passed.`,
  examples: ['overdue'],
});
