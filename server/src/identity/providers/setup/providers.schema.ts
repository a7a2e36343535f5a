import type { Static } from 'typebox';
import { companyIdOrNull, companyIdsOrNull } from '../../../platform/http/company-ids/company-id.ts';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { pageOf, pageQuery } from '../../../platform/http/schema/pagination.ts';
import { EMAIL_DOMAIN, patternRule, UUID } from '../../../platform/http/schema/text-rules.ts';
import { Type } from '../../../platform/http/schema/type.ts';
import { text } from '../../../platform/http/schema/validation.ts';

const issuer = text({
  required: true,
  rule: patternRule(
    '[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000][^\\u0000]*',
    'must be a URL such as https://login.example.com',
  ),
  description:
    'The issuer exactly as the provider writes it. The provider serves `/.well-known/openid-configuration` below this URL. ' +
    'It must be https at a public address. A host in `SIGN_IN_ALLOWED_HOSTS` and this machine may also have another ' +
    'address and use http.',
  examples: ['https://login.example.com'],
});
const clientId = text({
  required: true,
  description: 'The id that the provider has given this service as a client.',
  examples: ['paydesk'],
});
const emailDomains = Type.Array(
  text({ rule: patternRule(EMAIL_DOMAIN, 'must be a domain such as example.com'), examples: ['example.com'] }),
  {
    maxItems: 100,
    description:
      'The e-mail domains that may sign in. Upper and lower case count as the same. An empty list stands for all domains. A ' +
      'provider of a company needs at least one domain.',
    examples: [['example.com']],
  },
);

const idOrNull = (rule: ReturnType<typeof patternRule>, description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 255,
    'x-rule': rule,
    description,
    examples: [null],
  });
const COMPANY =
  'The company whose members sign in with the provider. Null for a provider that logs in to existing accounts of all ' +
  'companies.';
const roleId = idOrNull(
  patternRule(UUID, 'must be the id of a role that members can have'),
  'The role that the provider gives to new members of the company: `Viewer` by default. Null without a company.',
);

export const SignInProvider = namedObject('SignInProvider', {
  name: Type.String({
    description: 'The name of the provider. It is part of the addresses of the sign-in.',
    examples: ['acme'],
  }),
  issuer,
  clientId,
  emailDomains,
  ...companyIdsOrNull(COMPANY, [null]),
  roleId,
});
export type SignInProvider = Static<typeof SignInProvider>;

export const SignInProviderBody = namedObject('SignInProviderBody', {
  issuer: Type.Optional(issuer),
  clientId: Type.Optional(clientId),
  clientSecret: Type.Optional(
    text({
      required: true,
      cardNumbers: 'allowed',
      description:
        'The secret that the provider has given this service as a client. Paydesk stores it encrypted and never returns it. A ' +
        'new `issuer` needs a new secret.',
      examples: ['b3f1…'],
    }),
  ),
  emailDomains: Type.Optional(emailDomains),
  companyId: Type.Optional(companyIdOrNull({ description: COMPANY, examples: [null] })),
  roleId: Type.Optional(roleId),
});
export type SignInProviderBody = Static<typeof SignInProviderBody>;

export const SignInProviderQuery = Type.Object(pageQuery);
export type SignInProviderQuery = Static<typeof SignInProviderQuery>;

export const SignInProviderList = pageOf('SignInProviderList', SignInProvider);
export type SignInProviderList = Static<typeof SignInProviderList>;
