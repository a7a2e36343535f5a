import { NIL } from 'uuid';

/**
 * Stands where a key has a company's id, for what is the operator's own or of no company: its webhook endpoints and idempotency keys,
 * general prices, the sign-up of a customer.
 */
export const OPERATOR_SCOPE: string = NIL;

/**
 * Who learns of an event or an entry of the audit log: the company that it is about and the operator, or the operator alone. What is
 * about no company is the operator's alone, whatever its audience.
 */
export type Audience = 'company' | 'operator';

/** Under which company's id something with this audience is kept. */
export function ownerOf(audience: Audience, companyId: string | null): string {
  return audience === 'company' && companyId !== null ? companyId : OPERATOR_SCOPE;
}
