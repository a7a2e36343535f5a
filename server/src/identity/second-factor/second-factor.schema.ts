import { namedObject } from '../../platform/http/schema/named.ts';
import { Type } from '../../platform/http/schema/type.ts';
import { text } from '../../platform/http/schema/validation.ts';
import { ConfirmingPassword } from '../checks/confirmation.ts';

const codeOptions = { required: true, cardNumbers: 'allowed' as const, examples: ['492039'] };

export const BeginTotpBody = namedObject('BeginTotpBody', { password: ConfirmingPassword });

export const ConfirmTotpBody = namedObject('ConfirmTotpBody', {
  code: text({ ...codeOptions, description: 'The code that the authenticator app shows.' }),
});

const anyCode = text({
  ...codeOptions,
  description: 'The code that the authenticator app shows, or a recovery code.',
});

export const DisableTotpBody = namedObject('DisableTotpBody', { password: ConfirmingPassword, code: anyCode });

export const RenewRecoveryCodesBody = namedObject('RenewRecoveryCodesBody', { code: anyCode });

export const TotpState = namedObject('TotpState', {
  error: Type.Null(),
  data: Type.Object({
    enabled: Type.Boolean({ description: 'Whether TOTP is on: a secret is confirmed.' }),
  }),
});

export const TotpAnswer = namedObject('TotpAnswer', {
  error: Type.Null(),
  data: namedObject('TotpSecret', {
    secret: Type.String({
      description: 'The secret in base32, to type into the app.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    uri: Type.String({
      description: 'The address that the QR code contains.',
      examples: [
        'otpauth://totp/Paydesk:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Paydesk&algorithm=SHA1&digits=6&period=30',
      ],
    }),
    qr: Type.String({
      description: 'The QR code as an SVG image in a data URL.',
      examples: ['data:image/svg+xml;base64,PHN2Zy…'],
    }),
  }),
});

const codes = {
  description:
    'The recovery codes. Each code works once, instead of a code of the app or a passkey. They are shown only now.',
  examples: [['K5QWY3-DPEHPK-3PXPJB-SWY3DP']],
};

const RecoveryCodes = Type.Array(Type.String(), codes);

/** Of an answer that has them only with the user's first second factor. */
export const FirstRecoveryCodes = Type.Union([Type.Array(Type.String()), Type.Null()], {
  ...codes,
  description: `${codes.description} Null unless this is the first second factor of the user.`,
});

export const TotpConfirmed = namedObject('TotpConfirmed', {
  error: Type.Null(),
  data: Type.Object({ recovery_codes: FirstRecoveryCodes }),
});

export const RecoveryCodesAnswer = namedObject('RecoveryCodesAnswer', {
  error: Type.Null(),
  data: Type.Object({ recovery_codes: RecoveryCodes }),
});
