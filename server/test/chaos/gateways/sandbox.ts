/** The sandbox gateway in the fault matrix. It is a separate process whose ledger is a file. */
import { spawnGateway, testSecret } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { CARDS, cardBody } from '../../customers/actors.ts';
import type { ChaosGateway, CreateForCompany } from './stand-ins.ts';

export const SANDBOX: ChaosGateway = {
  name: 'sandbox',
  spawn: spawnGateway,
  environmentOf: ({ url }) => ({ SANDBOX_GATEWAY_URL: url, SANDBOX_GATEWAY_SECRET: testSecret }),
  addSource: (create, answer) => addCard(create, answer === 'pays' ? CARDS.visa : CARDS.insufficientFunds),
  invoiceChanges: {},
  declineCode: 'insufficient_funds',
  refundCheck: 'find',
};

/** Saves a card with its own address. */
export async function addCard(create: CreateForCompany, cardNumber: string): Promise<void> {
  const { id } = await create('addresses', { city: 'London' });
  await create('cards', cardBody(id, { cardNumber, isDefault: true }));
}
