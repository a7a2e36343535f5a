import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { secretText } from '../../platform/http/schema/validation.ts';
import { ConfirmingPassword } from '../checks/confirmation.ts';
import { MAX_TOKEN_LENGTH } from '../secrets/secrets.ts';
import { emailAddress } from '../users/email-address.ts';

/** The token of a link. */
export const LinkToken = secretText({
  max: MAX_TOKEN_LENGTH,
  description: 'The token of the link in the mail. It works once, until it expires or a newer token replaces it.',
  examples: ['dGhlIGxpbmsgaW4gdGhlIG1haWwgaGFzIHRoZSB0b2tlbg'],
});

export const TokenBody = namedObject('TokenBody', { token: LinkToken });

export const EmailChangeBody = namedObject('EmailChangeBody', {
  email: emailAddress({ isKept: true }),
  password: ConfirmingPassword,
});
export type EmailChangeBody = Static<typeof EmailChangeBody>;

export const NoData = namedObject('NoData', { error: Type.Null(), data: Type.Null() });
