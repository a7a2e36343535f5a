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
    'The issuer as the provider writes it, below which `/.well-known/openid-configuration` is: https at a public address or a host of ' +
    '`SIGN_IN_ALLOWED_HOSTS`, or this machine, over http too.',
  examples: ['https://login.example.com'],
});
const clientId = text({ required: true, description: 'Of this service at the provider.', examples: ['paydesk'] });
const emailDomains = Type.Array(
  text({ rule: patternRule(EMAIL_DOMAIN, 'must be a domain such as example.com'), examples: ['example.com'] }),
  {
    maxItems: 100,
    description:
      'The domains of e-mails that may sign in, compared without case. Empty for all; a provider of a company has to name them.',
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
const COMPANY = 'The company whose members sign in with it. Null: it opens existing accounts of all companies.';
const roleId = idOrNull(
  patternRule(UUID, 'must be the id of a role that members can have'),
  'What it makes new members of the company: `Viewer` by default. Null without a company.',
);

export const SignInProvider = namedObject('SignInProvider', {
  name: Type.String({ description: 'Part of its addresses.', examples: ['acme'] }),
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
      description: 'Of this service at the provider. It is kept encrypted, and never read. It goes with the issuer.',
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
