import type { Static } from 'typebox';
import { companyIds } from '../../platform/http/company-ids/company-id.ts';
import { timestamp, uuid } from '../../platform/http/schema/fields.ts';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';

export const CreateCardSetupBody = namedObject('CreateCardSetupBody', {
  method: Type.Optional(
    Type.Enum(['Card', 'sepa_debit'], {
      description: 'What is saved: a card, or a mandate for SEPA direct debits. `Card` when absent.',
      examples: ['Card'],
    }),
  ),
});
export type CreateCardSetupBody = Static<typeof CreateCardSetupBody>;

const setupFields = {
  id: uuid(),
  ...companyIds,
  gateway: Type.String({ description: 'The gateway whose fields take the number.', examples: ['stripe'] }),
  method: Type.String({ examples: ['Card'] }),
  status: Type.Enum(['requires_payment_method', 'requires_action', 'succeeded', 'used', 'expired'], {
    description:
      'What the setup waits for: the card, or the confirmation that the bank asks for. After `succeeded`, `POST ' +
      '/payments/cards` saves the card, and the setup is `used`. It is `expired` 24 hours after its creation unless it was used.',
    examples: ['requires_payment_method'],
  }),
};
const lastFields = {
  publishableKey: Type.String({
    description: 'The key with which the script of the gateway is opened in the browser.',
    examples: ['pk_live_51Abc'],
  }),
  createdAt: timestamp(),
  expiresAt: timestamp(),
};

export const CardSetup = namedObject('CardSetup', { ...setupFields, ...lastFields });
export type CardSetup = Static<typeof CardSetup>;

export const CreatedCardSetup = namedObject('CreatedCardSetup', {
  ...setupFields,
  clientSecret: Type.String({
    description:
      'Lets the browser of the company confirm this setup, and nothing else. Paydesk does not show it again.',
    examples: ['seti_1Abc_secret_Def'],
  }),
  ...lastFields,
});
export type CreatedCardSetup = Static<typeof CreatedCardSetup>;
