import { NIL } from 'uuid';

/**
 * Stands where a key has a company's id, for what is the operator's own or of no company: its webhook endpoints and idempotency keys,
 * general prices, the sign-up of a customer.
 */
export const OPERATOR_SCOPE: string = NIL;
