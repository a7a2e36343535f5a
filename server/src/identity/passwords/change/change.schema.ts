import type { Static } from 'typebox';
import { namedObject } from '../../../platform/http/schema/named.ts';
import { ConfirmingPassword } from '../../login/confirmation.ts';
import { NewPassword } from '../password.schema.ts';

export const PasswordChangeBody = namedObject('PasswordChangeBody', {
  current_password: ConfirmingPassword,
  new_password: NewPassword,
});
export type PasswordChangeBody = Static<typeof PasswordChangeBody>;
