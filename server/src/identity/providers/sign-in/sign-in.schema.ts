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
      description: 'Where the browser returns to: a path below `PUBLIC_URL`. By default `/app`.',
      examples: ['/app/invoices'],
    }),
  ),
  link: Type.Optional(
    Type.Enum(['true'] as const, {
      description: 'Links the account of who has sent `POST /auth/links` in this browser within ten minutes.',
      examples: ['true'],
    }),
  ),
});
export type StartQuery = Static<typeof StartQuery>;

/** Providers add parameters of their own. */
export const CallbackQuery = Type.Object({}, { additionalProperties: true });
