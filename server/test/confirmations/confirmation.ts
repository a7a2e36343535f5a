/** What the tests of payments that wait for their customer share. */
import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { type Payable, paymentsOf } from '../payments/charge.ts';

/** Answers the question of the bank in the sandbox's place of a browser. */
export function answerBank(
  service: TestService,
  clientSecret: string,
  outcome: 'succeed' | 'fail' = 'succeed',
): Promise<Answer> {
  return service.call('POST', '/gateways/sandbox/challenges', { body: { clientSecret, outcome } });
}

/** Pays an invoice whose bank asks. @returns the error of the answer */
export async function payAndWait({ pay }: Pick<Payable, 'pay'>) {
  const { error } = expectStatus(await pay(), 402).body;
  if (error.code !== 'authentication_required') throw new Error(`The bank did not ask: ${error.code}`);
  return error as {
    paymentId: string;
    nextAction: Record<'gateway' | 'clientSecret' | 'publishableKey' | 'url' | 'expiresAt', string>;
  };
}

/** Lets the time of all payments that wait pass. */
export async function letExpire({ database }: TestService): Promise<void> {
  await database.owner`UPDATE payments SET expires_at = now() - interval '1 second' WHERE state = 'requires_action'`;
}

/** How the payments of an invoice ended, each with its reason. */
export async function endsOf(service: TestService, payable: Pick<Payable, 'invoice'>): Promise<string[]> {
  return (await paymentsOf(service, payable)).map(({ state, failureReason, declineCode }) =>
    [state, failureReason, declineCode].filter((part) => part !== null).join(' '),
  );
}
