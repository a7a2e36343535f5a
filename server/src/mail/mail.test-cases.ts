import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { PAGES } from '../../test/battery/cases/query-values.ts';
import { signUpAdmin } from '../../test/customers/actors.ts';
import { mailsTo } from '../../test/mail/mails.ts';

const MAIL: Named = {
  table: 'mails',
  make: async (service) => {
    const [mail] = await mailsTo(service, (await signUpAdmin(service)).email);
    return mail.id;
  },
};

export const CASES: RouteCases = {
  'GET /operator/mails': {
    access: 'operator',
    parameters: {
      ...PAGES,
      recipient: { takes: ['ada@example.com', 'ADA@example.com', 'x', '%', "'"], refuses: ['', 'a'.repeat(256)] },
      type: { takes: ['verify_email', 'invitation'], refuses: ['', 'x', 'VERIFY_EMAIL', 'null'] },
      status: { takes: ['queued', 'sent', 'failed', 'kept'], refuses: ['', 'x', 'Sent', 'sent,kept'] },
    },
  },
  'GET /operator/mails/:mail_id': { access: 'operator', names: MAIL },
};
