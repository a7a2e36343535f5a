import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Gateways } from '../../gateways/gateways.ts';
import { invalidField } from '../../platform/errors.ts';
import { route } from '../../platform/http/route/route.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { cardFields, debitFields } from '../card-fields/card-fields.schema.ts';
import { fullYear, plainCardNumber, refuseExpired } from '../card-fields/card-number.ts';
import { plainIban } from '../card-fields/iban.ts';
import { answerChallenge, confirmInBrowser, requireSandbox } from './card-setups.service.ts';

const clientSecret = text({
  required: true,
  description: 'Of the setup or the payment.',
  examples: ['setup_1Abc_secret_Def'],
});
const { cardNumber, cardName, ...others } = cardFields;

const SandboxSetupBody = namedObject(
  'SandboxSetupBody',
  {
    clientSecret,
    card: Type.Optional(Type.Object({ number: cardNumber, name: cardName, ...others })),
    sepaDebit: Type.Optional(Type.Object(debitFields)),
    mandateAccepted: Type.Optional(
      Type.Boolean({ description: 'True: the holder of the account accepts the mandate.', examples: [true] }),
    ),
  },
  {
    'x-documented': { oneOf: [{ required: ['card'] }, { required: ['sepaDebit', 'mandateAccepted'] }] },
    examples: [
      {
        clientSecret: 'setup_1Abc_secret_Def',
        card: {
          number: '4242 4242 4242 4242',
          name: 'Ada Lovelace',
          expMonth: 12,
          expYear: 2030,
          cvv: '123',
          country: 'GB',
        },
      },
    ],
  },
);
type SandboxSetupBody = Static<typeof SandboxSetupBody>;
const SandboxSetupAnswer = namedObject('SandboxSetupAnswer', {
  status: Type.Enum(['succeeded', 'requires_action'], {
    description: '`requires_action`: the bank asks the holder; `POST /gateways/sandbox/challenges` answers.',
    examples: ['succeeded'],
  }),
});
const SandboxChallengeBody = namedObject('SandboxChallengeBody', {
  clientSecret,
  outcome: Type.Enum(['succeed', 'fail'], { description: 'What the holder answers.', examples: ['succeed'] }),
});
const SandboxChallengeAnswer = namedObject('SandboxChallengeAnswer', {
  status: Type.Enum(['succeeded', 'failed'], { examples: ['succeeded'] }),
});

const tag = 'Gateways';
const unrecorded = 'The sandbox stands for the browser of a person who has no account here.';
const ONLY_SANDBOX = 'Only while the sandbox is the gateway; otherwise 404. It needs no credential but `clientSecret`.';

/** Registers what a browser does at a real gateway, so that setups can be tried and tested without one. */
export function registerSandboxFieldRoutes(app: FastifyInstance, gateways: Gateways): void {
  app.register(async (scope) => {
    // Where another gateway is chosen there is nothing at these paths, whatever the body.
    scope.addHook('onRequest', async () => requireSandbox(gateways));
    registerConfirming(scope, gateways);
    registerChallenges(scope, gateways);
  });
}

function registerConfirming(app: FastifyInstance, gateways: Gateways): void {
  route(app, {
    method: 'POST',
    url: '/gateways/sandbox/setups/confirm',
    operationId: 'confirmSandboxSetup',
    tag,
    summary: 'Type a card or an account into the fields of the sandbox',
    description:
      'Confirms a setup, as the script of a real gateway does in the browser: with exactly one of `card` and `sepaDebit`. ' +
      `With \`sepaDebit\`, \`mandateAccepted\` has to be true. ${ONLY_SANDBOX}`,
    access: 'public',
    body: SandboxSetupBody,
    response: { 200: SandboxSetupAnswer },
    errors: ['not_found', 'nothing_to_confirm', 'service_unavailable'],
    audit: { unrecorded },
    handler: async ({ body }) =>
      (await confirmInBrowser(gateways, body.clientSecret, readTyped(body))) as {
        status: 'succeeded' | 'requires_action';
      },
  });
}

function registerChallenges(app: FastifyInstance, gateways: Gateways): void {
  route(app, {
    method: 'POST',
    url: '/gateways/sandbox/challenges',
    operationId: 'answerSandboxChallenge',
    tag,
    summary: 'Answer the question of the sandbox’s bank',
    description: `Answers what the bank asks the holder of a card to confirm, when the card is saved or charged. ${ONLY_SANDBOX}`,
    access: 'public',
    body: SandboxChallengeBody,
    response: { 200: SandboxChallengeAnswer },
    errors: ['not_found', 'nothing_to_confirm', 'service_unavailable'],
    audit: { unrecorded },
    handler: ({ body }) => answerChallenge(gateways, body.clientSecret, body.outcome),
  });
}

function readTyped({ card, sepaDebit, mandateAccepted = false }: SandboxSetupBody) {
  if ((card === undefined) === (sepaDebit === undefined)) {
    throw invalidField('card', 'is given, or sepaDebit: exactly one of them');
  }
  if (sepaDebit !== undefined) {
    if (!mandateAccepted)
      throw invalidField('mandateAccepted', 'must be true: without a mandate nothing can be debited');
    return { sepaDebit: { iban: plainIban(sepaDebit.iban), name: sepaDebit.name } };
  }
  const { number, cvv: securityCode, expMonth, expYear, name, country } = card as NonNullable<typeof card>;
  refuseExpired({ expMonth, expYear }, 'card');
  const years = { expMonth, expYear: fullYear(expYear) };
  return { card: { number: plainCardNumber(number), securityCode, ...years, name, country } };
}
