import type { Static } from 'typebox';
import { namedObject } from '../../platform/http/schema/named.ts';
import { ConfirmingPassword } from '../checks/confirmation.ts';
import { LinkToken } from '../email/email.schema.ts';
import { NewPassword } from '../passwords/password.schema.ts';
import { emailAddress } from '../users/email-address.ts';

export const PasswordChangeBody = namedObject('PasswordChangeBody', {
  current_password: ConfirmingPassword,
  new_password: NewPassword,
});
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;

export const ForgottenPasswordBody = namedObject('ForgottenPasswordBody', { email: emailAddress({ isKept: false }) });

export const PasswordResetBody = namedObject('PasswordResetBody', { token: LinkToken, new_password: NewPassword });
export type PasswordResetBody = Static<typeof PasswordResetBody>;
