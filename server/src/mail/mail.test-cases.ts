import type { Named, RouteCases } from '../../test/battery/battery.ts';
import { ANY_ID, INSTANT, PAGES } from '../../test/battery/cases/query-values.ts';
import { expectStatus, issueInvoice, signUpAdmin } from '../../test/customers/actors.ts';
import { mailsTo } from '../../test/mail/mails.ts';

const MAIL: Named = {
  table: 'mails',
  make: async (service) => {
    const [mail] = await mailsTo(service, (await signUpAdmin(service)).email);
    return mail.id;
  },
};

const INVOICE_MAIL: Named = {
  table: 'mails',
  make: async (service, { companyId }) => {
    const { id } = await issueInvoice(service, companyId);
    const answer = await service.call('GET', `/operator/mails?invoiceId=${id}`, { token: service.operatorKey });
    return expectStatus(answer, 200).body.data[0].id;
  },
};
/** The mail of the file that was made last. */
let mailOfInvoice = '';
const FILE: Named = {
  table: 'mails',
  isName: true,
  make: async (service, actor) => {
    mailOfInvoice = await INVOICE_MAIL.make(service, actor);
    return '0';
  },
};

const FILTERS = {
  companyId: ANY_ID,
  invoiceId: { takes: ['0198f2d4-7c1e-7b3a-9f52-3c8e5a1d2b40'], refuses: ['', 'x', '1'] },
  from: INSTANT,
  to: INSTANT,
  recipient: { takes: ['ada@example.com', 'ADA@example.com', 'x', '%', "'"], refuses: ['', 'a'.repeat(256)] },
  type: { takes: ['verify_email', 'invitation'], refuses: ['', 'x', 'VERIFY_EMAIL', 'null'] },
  status: { takes: ['queued', 'sent', 'failed', 'kept'], refuses: ['', 'x', 'Sent', 'sent,kept'] },
};

export const CASES: RouteCases = {
  'GET /operator/mails': { access: 'operator', parameters: { ...PAGES, ...FILTERS } },
  'GET /operator/mails.csv': { access: 'operator', parameters: FILTERS },
  'GET /operator/mails/:mail_id': { access: 'operator', names: MAIL },
  'GET /operator/mails/:mail_id/attachments/:index': {
    access: 'operator',
    names: FILE,
    within: () => [mailOfInvoice],
  },
  'POST /operator/mails/preview': {
    access: 'operator',
    sampleRefusal: /^400 /,
    body: ({ admin }) => ({ type: 'card_expires', companyId: admin.companyId, language: 'de' }),
  },
  'POST /operator/mails/:mail_id/resend': {
    access: 'operator',
    names: INVOICE_MAIL,
    body: () => ({ to: ['ada@example.com', 'grace@example.com'] }),
  },
};
