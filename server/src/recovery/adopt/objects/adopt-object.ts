import type { RecoveryCase } from '../../marks/cases.ts';
import type { Decision } from '../decision/decide.ts';
import type { AdoptDependencies } from './found-object.ts';
import { adoptPayment } from './payments.ts';
import { adoptRefund } from './refunds.ts';

/**
 * Brings the books together with an object that a gateway has and the database lacks. First the gateway is asked how the object is now, and
 * what is open there is canceled; then one transaction writes what follows, and the decision about the case. It can be repeated, whatever
 * crashed in between.
 * @throws GatewayError when the gateway gives no answer: the case stays as it is
 */
export async function adoptObject(dependencies: AdoptDependencies, found: RecoveryCase): Promise<Decision> {
  return found.kind === 'refund' ? adoptRefund(dependencies, found) : adoptPayment(dependencies, found);
}
