import type { TestService } from '../harness/service.ts';
import { type Actor, CARDS, expectStatus, saveAddress } from './actors.ts';

/** Published test cards whose bank asks the holder to confirm that the card is saved. */
export const ASKING_CARDS = ['4000002500003155', '4000002760003184', '4000008260003178'] as const;

/** A card as its holder types it into the sandbox's fields. */
export function typedCard(number: string = CARDS.visa) {
  return {
    number,
    expMonth: 12,
    expYear: new Date().getUTCFullYear() + 3,
    cvv: '123',
    name: 'Ada Lovelace',
    country: 'GB',
  };
}

/** Stripe's test IBANs, which the sandbox knows. */
export const IBANS = {
  settles: 'DE89370400440532013000',
  fails: 'DE62370400440532013001',
  isDisputed: 'DE35370400440532013002',
  settlesLater: 'DE08370400440532013003',
  failsLater: 'DE78370400440532013004',
} as const;

/** An account as its holder types it into the sandbox's fields. */
export function typedDebit(iban: string = IBANS.settles) {
  return { iban, name: 'Ada Lovelace', email: 'ada@example.com' };
}

/** Begins to save a card, or a mandate. @returns the answer's body */
export async function createSetup(service: TestService, { token }: Actor, method?: 'sepa_debit') {
  const body = method === undefined ? undefined : { method };
  return expectStatus(await service.call('POST', '/payments/card-setups', { token, body }), 201).body;
}

/** Types an account into the sandbox's fields, and accepts the mandate. */
export async function confirmDebit(service: TestService, clientSecret: string, sepaDebit: object = typedDebit()) {
  const body = { clientSecret, sepaDebit, mandateAccepted: true };
  return service.call('POST', '/gateways/sandbox/setups/confirm', { body });
}

/** Saves a mandate for debits of an account as the default card. @returns the Card */
export async function saveMandate(service: TestService, actor: Actor, iban: string = IBANS.settles) {
  const { id: setupId, clientSecret } = await createSetup(service, actor, 'sepa_debit');
  expectStatus(await confirmDebit(service, clientSecret, typedDebit(iban)), 200);
  const body = { addressId: await saveAddress(service, actor), isDefault: true, setupId };
  return expectStatus(await service.call('POST', '/payments/cards', { token: actor.token, body }), 201).body;
}

/** Begins to save a card. @returns the id of the setup */
export async function saveSetup(service: TestService, actor: Actor): Promise<string> {
  return (await createSetup(service, actor)).id;
}

/** Types a card into the sandbox's fields. */
export async function confirmSetup(service: TestService, clientSecret: string, card: object = typedCard()) {
  return service.call('POST', '/gateways/sandbox/setups/confirm', { body: { clientSecret, card } });
}

/** Answers the question of the bank. */
export async function answerChallenge(service: TestService, clientSecret: string, outcome: 'succeed' | 'fail') {
  return service.call('POST', '/gateways/sandbox/challenges', { body: { clientSecret, outcome } });
}
