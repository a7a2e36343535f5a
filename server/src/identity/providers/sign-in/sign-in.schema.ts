import type { Static } from 'typebox';
import { patternRule } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';

/** Visible ASCII without a backslash, which browsers read as a slash; two slashes would begin another host. */
const PATH = '/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?';

export const StartQuery = Type.Object({
  return_to: Type.Optional(
    Type.String({
      maxLength: 1_000,
      'x-rule': patternRule(PATH, 'must be a path of this site, such as /app/invoices'),
      description: 'The path of this service that the browser returns to, below `PUBLIC_URL`. `/app` by default.',
      examples: ['/app/invoices'],
    }),
  ),
  link: Type.Optional(
    Type.Enum(['true'] as const, {
      description:
        'True links the account at the provider to the user who sent `POST /auth/links` in this browser within the last ten ' +
        'minutes.',
      examples: ['true'],
    }),
  ),
});
export type StartQuery = Static<typeof StartQuery>;

/** Providers add parameters of their own. */
export const CallbackQuery = Type.Object({}, { additionalProperties: true });
