import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../checks/confirmation.ts';
import { findFactorKinds } from './second-factor.public.queries.ts';
import {
  BeginTotpBody,
  ConfirmTotpBody,
  DisableTotpBody,
  RecoveryCodesAnswer,
  RenewRecoveryCodesBody,
  TotpAnswer,
  TotpConfirmed,
  TotpState,
} from './second-factor.schema.ts';
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  renewRecoveryCodes,
  type SecondFactorDependencies,
} from './totp.service.ts';

const tag = 'Accounts';

/** TOTP and recovery codes. */
export function registerSecondFactorRoutes(app: FastifyInstance, dependencies: SecondFactorDependencies): void {
  registerReading(app, dependencies);
  route(app, {
    method: 'POST',
    url: '/auth/totp',
    operationId: 'beginTotp',
    tag,
    summary: 'Set up TOTP',
    description:
      'Answers a new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). TOTP is on once you confirm ' +
      'the secret with a code. Until then, another request replaces the secret.',
    access: 'user',
    withoutSecondFactor: true,
    body: BeginTotpBody,
    response: { 200: TotpAnswer },
    errors: [...CONFIRMATION_ERRORS, 'totp_enabled'],
    audit: { unrecorded: 'Nothing changes until the secret is confirmed.' },
    handler: async (context) => {
      return { error: null, data: await beginTotp(dependencies, context, context.body.password) };
    },
  });
  route(app, {
    method: 'POST',
    url: '/auth/totp/confirm',
    operationId: 'confirmTotp',
    tag,
    summary: 'Turn TOTP on',
    description:
      'From now on, a login needs a second factor. If this is the first second factor of the user, the answer has ten ' +
      'recovery codes.',
    access: 'user',
    withoutSecondFactor: true,
    body: ConfirmTotpBody,
    response: { 200: TotpConfirmed },
    errors: ['invalid_code', 'totp_enabled'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      return { error: null, data: { recovery_codes: await confirmTotp(dependencies, context, context.body.code) } };
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/totp',
    operationId: 'disableTotp',
    tag,
    summary: 'Turn TOTP off',
    description: 'When the last second factor of a user is removed, the recovery codes are removed too.',
    access: 'user',
    body: DisableTotpBody,
    response: { 204: null },
    errors: [...CONFIRMATION_ERRORS, 'invalid_code', 'last_second_factor'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      await disableTotp(dependencies, context, context.body);
      return null;
    },
  });
  registerRecoveryCodes(app, dependencies);
}

function registerReading(app: FastifyInstance, { db }: SecondFactorDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/totp',
    operationId: 'getTotp',
    tag,
    summary: 'Find out whether TOTP is on',
    description: '`two_factor` of the profile says whether there is any second factor, which may be a passkey.',
    access: 'user',
    response: { 200: TotpState },
    errors: [],
    handler: async ({ user }) => {
      const { hasTotp } = await findFactorKinds(db, user.userId);
      return { error: null, data: { enabled: hasTotp } };
    },
  });
}

function registerRecoveryCodes(app: FastifyInstance, dependencies: SecondFactorDependencies): void {
  route(app, {
    method: 'POST',
    url: '/auth/recovery-codes',
    operationId: 'renewRecoveryCodes',
    tag,
    summary: 'Replace the recovery codes',
    description: 'The previous recovery codes stop working.',
    access: 'user',
    body: RenewRecoveryCodesBody,
    response: { 200: RecoveryCodesAnswer },
    errors: ['invalid_code'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      const codes = await renewRecoveryCodes(dependencies, context, context.body.code);
      return { error: null, data: { recovery_codes: codes } };
    },
  });
}
