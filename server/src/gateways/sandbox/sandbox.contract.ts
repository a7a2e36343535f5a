import { randomUUID } from 'node:crypto';
import { sourcesOfCards } from '../gateway/gateway.contract.ts';
import type { ContractSubject } from '../gateway/gateway.testing.ts';
import { startTestGateway, testCard } from './sandbox.testing.ts';

/** Makes the sandbox, in this process, for the contract test. */
export async function makeSubject(): Promise<ContractSubject> {
  const { gateway, control, close } = await startTestGateway();
  return {
    gateway,
    ...sourcesOfCards(gateway, { succeeding: testCard('4242424242424242'), declining: testCard('4000000000000002') }),
    declineCode: 'generic_decline',
    remembersDeclines: true,
    accounts: {
      email: /@example\.com$/,
      approve: async () => ({
        setupToken: `sandbox-setup-${randomUUID()}`,
        holder: { companyId: randomUUID(), customer: null },
      }),
    },
    asking: {
      source: async () => (await gateway.tokenizeCard(testCard('4000002760003184'))).token,
      async answer({ action }, outcome) {
        const answered = await gateway.fields?.browser?.answerChallenge(action?.clientSecret ?? '', outcome);
        if (answered !== (outcome === 'succeed' ? 'succeeded' : 'failed'))
          throw new Error(`The bank says ${answered}.`);
      },
    },
    async countCaptures(gatewayPaymentId: string) {
      const { captures } = await control.readLedger();
      return captures.filter((capture) => capture.paymentId === gatewayPaymentId).length;
    },
    close,
  };
}
