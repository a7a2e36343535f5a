/** The sandbox gateway in the fault matrix. It is a separate process whose ledger is a file. */
import { createSandboxGateway } from '../../../src/gateways/sandbox/sandbox.gateway.ts';
import { spawnGateway, testSecret } from '../../../src/gateways/sandbox/sandbox.testing.ts';
import { CARDS, cardBody } from '../../customers/actors.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { type ChaosGateway, type CreateForCompany, DEBITED, isDebit } from './stand-ins.ts';

const NUMBERS = {
  pays: CARDS.visa,
  refuses: CARDS.insufficientFunds,
  asks: CARDS.asksAlways,
  'asks and refuses': CARDS.asksOnSession,
};

export const SANDBOX: ChaosGateway = {
  name: 'sandbox',
  spawn: spawnGateway,
  environmentOf: ({ url }) => ({ SANDBOX_GATEWAY_URL: url, SANDBOX_GATEWAY_SECRET: testSecret }),
  addSource: (create, answer, standIn) =>
    isDebit(answer) ? addMandate(create, DEBITED[answer], standIn) : addCard(create, NUMBERS[answer]),
  async answerBank(standIn, clientSecret, outcome) {
    const answered = await browserOf(standIn)?.answerChallenge(clientSecret, outcome);
    return answered === 'succeeded' || answered === 'failed';
  },
  invoiceChanges: {},
  declineCode: 'insufficient_funds',
  refundCheck: 'find',
};

/** Saves a card with its own address. */
export async function addCard(create: CreateForCompany, cardNumber: string): Promise<void> {
  const { id } = await create('addresses', { city: 'London' });
  await create('cards', cardBody(id, { cardNumber, isDefault: true }));
}

/** The requests of the browser go to the sandbox itself. */
function browserOf({ url: baseUrl }: StandIn) {
  return createSandboxGateway({ baseUrl, secret: testSecret }).fields?.browser;
}

async function addMandate(create: CreateForCompany, iban: string, standIn: StandIn): Promise<void> {
  const { id: setupId, clientSecret = '' } = await create('card-setups', { method: 'sepa_debit' });
  await browserOf(standIn)?.confirmSetup(clientSecret, { sepaDebit: { iban, name: 'Ada Lovelace' } });
  const { id: addressId } = await create('addresses', { city: 'London' });
  await create('cards', { addressId, isDefault: true, setupId });
}
