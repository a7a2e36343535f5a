import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { MAX_TOKEN_LENGTH } from '../secrets/secrets.ts';

export const OperatorLoginBody = namedObject('OperatorLoginBody', {
  key: text({
    max: MAX_TOKEN_LENGTH,
    required: true,
    cardNumbers: 'allowed',
    description: 'The operator key.',
    examples: ['opk_pXkq3U0cV1tq7p6h1yQ0m8u4eL2nW9rZb5sJdGfAoTc'],
  }),
});
export type OperatorLoginBody = Static<typeof OperatorLoginBody>;
