import { serviceFacts } from '../../shell/service-facts.ts';

/** Whether an account for direct debits can be added: only gateways with fields of their own take one. */
export function takesMandates(): boolean {
  return ['sandbox', 'stripe'].includes(serviceFacts().cards);
}
