import { randomUUID } from 'node:crypto';
import { type ContractSubject, sourcesOfCards } from '../gateway/gateway.contract.ts';
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
    async countCaptures(gatewayPaymentId: string) {
      const { captures } = await control.readLedger();
      return captures.filter((capture) => capture.paymentId === gatewayPaymentId).length;
    },
    close,
  };
}
