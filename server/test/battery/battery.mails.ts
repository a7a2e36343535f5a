import { newEmail } from '../customers/accounts.ts';
import { PASSWORD, signUpAdmin } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';
import { mailsTo } from '../mail/mails.ts';

const MAIL = {
  table: 'mails',
  make: async (service: TestService): Promise<string> => {
    const [mail] = await mailsTo(service, (await signUpAdmin(service)).email);
    return mail.id;
  },
};

/** The battery's cases for mails and what their links do. */
export const MAIL_CASES = {
  'POST /auth/email/verify': { access: 'public' as const, body: () => ({ token: 'a'.repeat(43) }) },
  'POST /auth/email/revert': { access: 'public' as const, body: () => ({ token: 'a'.repeat(43) }) },
  'PUT /auth/email': {
    access: 'user' as const,
    body: () => ({ email: newEmail(), password: PASSWORD }),
  },
  'POST /auth/password/forgot': { access: 'public' as const, body: () => ({ email: newEmail() }) },
  'POST /auth/password/reset': {
    access: 'public' as const,
    body: () => ({ token: 'a'.repeat(43), new_password: PASSWORD }),
  },
  'POST /auth/email/verification': { access: 'user' as const },
  'GET /operator/mails': { access: 'operator' as const },
  'GET /operator/mails/:mail_id': { access: 'operator' as const, names: MAIL },
};
