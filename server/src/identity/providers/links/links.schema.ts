import type { Static } from 'typebox';
import { timestamp, uuid } from '../../../platform/http/schema/fields.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';
import { ConfirmingPassword } from '../../checks/confirmation.ts';

const textOrNull = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] });

const Link = namedObject('SignInLink', {
  id: uuid(),
  provider: textOrNull('The name of the provider that last used the link. Null if it is not known.', 'acme'),
  issuer: Type.String({ description: 'The issuer of the provider.', examples: ['https://login.example.com'] }),
  email: textOrNull(
    'The e-mail address of the account at the provider when the link was last used. Null if it is not known.',
    'ada@example.com',
  ),
  created_at: timestamp(),
  last_used_at: Type.Unsafe<Date | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the link was last used. Null if it is not known.',
    examples: ['2026-10-01T00:00:00.000Z'],
  }),
});
export type Link = Static<typeof Link>;

export const LinkList = namedObject('SignInLinkList', { error: Type.Null(), data: Type.Array(Link) });

export const LinkBody = namedObject('SignInLinkBody', {
  provider: text({ required: true, description: 'The name of the provider.', examples: ['acme'] }),
  password: ConfirmingPassword,
});
export type LinkBody = Static<typeof LinkBody>;

export const LinkAnswer = namedObject('SignInLinkAnswer', {
  error: Type.Null(),
  data: Type.Object({
    url: Type.String({
      description:
        'The address to open in the browser. It works for ten minutes, and only in the browser that received this answer.',
      examples: ['https://billing.example.com/auth/oidc/acme/start?link=true'],
    }),
  }),
});

export const DeleteLinkBody = namedObject('DeleteSignInLinkBody', { password: ConfirmingPassword });
