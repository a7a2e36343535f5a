import type { Static } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { LinkToken } from '../../email/email.schema.ts';
import { ConfirmingPassword } from '../../login/confirmation.ts';
import { emailAddress } from '../../users/email-address.ts';
import { NewPassword } from '../password.schema.ts';

export const PasswordChangeBody = namedObject('PasswordChangeBody', {
  current_password: ConfirmingPassword,
  new_password: NewPassword,
});
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;

export const ForgottenPasswordBody = namedObject('ForgottenPasswordBody', { email: emailAddress({ isKept: false }) });

export const PasswordResetBody = namedObject('PasswordResetBody', { token: LinkToken, new_password: NewPassword });
export type PasswordResetBody = Static<typeof PasswordResetBody>;
