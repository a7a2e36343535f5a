import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { checkOrigin } from './origin.ts';

const MAX_ORIGINS = 100;
const EXAMPLES = ['https://app.example.com'];

export const Integration = namedObject('Integration', {
  allowedOrigins: Type.Array(Type.String({ examples: EXAMPLES }), {
    description:
      'The origins of the pages of your product: they may send the tokens of customer sessions, and `returnUrl` leads to them.',
  }),
});
export type Integration = Static<typeof Integration>;

export const IntegrationBody = namedObject('IntegrationBody', {
  allowedOrigins: Type.Array(
    text({
      required: true,
      rule: checkOrigin,
      description:
        '`https://host` or `https://host:port`, or `http://localhost` with or without a port; nothing after it.',
      examples: EXAMPLES,
    }),
    { maxItems: MAX_ORIGINS, description: 'All origins: the list is replaced whole.' },
  ),
});
export type IntegrationBody = Static<typeof IntegrationBody>;
