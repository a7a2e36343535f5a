import type { TestService } from '../harness/service.ts';
import { type Actor, CARDS, expectStatus } from './actors.ts';

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

/** Begins to save a card. @returns the answer's body */
export async function createSetup(service: TestService, { token }: Actor) {
  return expectStatus(await service.call('POST', '/payments/card-setups', { token }), 201).body;
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
