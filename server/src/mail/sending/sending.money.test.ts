import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, issueInvoice, signUpAdmin } from '../../../test/customers/actors.ts';
import { eventually } from '../../../test/harness/process.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts';
import { sendingTo, startSending } from '../../../test/mail/mails.ts';
import { listMails } from '../../../test/mail/money-mails.ts';
import type { Worker } from '../../platform/background/background.ts';

let mailServer: MailServer;
let service: TestService;
let worker: Worker;
beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startTestService(sendingTo(mailServer));
  worker = startSending(service);
});
afterAll(async () => {
  await worker?.stop();
  await service?.stop();
  await mailServer?.stop();
});

const sent = (subject: string) => mailServer.received().filter(({ parsed }) => parsed.subject?.includes(subject));

async function issueTo(recipients: string[]) {
  const { companyId } = await signUpAdmin(service);
  const token = service.operatorKey;
  const path = `/operator/companies/${companyId}/mail-settings`;
  expectStatus(await service.call('PUT', path, { token, body: { recipients, language: 'de' } }), 200);
  return issueInvoice(service, companyId);
}

async function becomesSent(invoiceId: string) {
  return eventually(
    async () => {
      const { data } = await listMails(service, `invoiceId=${invoiceId}&status=sent`);
      return data.length > 0 && data;
    },
    () => 'a mail that is sent',
  );
}

describe('a mail about money', () => {
  it('is one mail to all recipients, with the PDF of the invoice', async () => {
    const { id, number } = await issueTo(['accounts@example.com', 'cfo@example.com']);
    const [mail] = await becomesSent(id);
    const received = sent(number);
    expect(received).toHaveLength(1);
    const [{ parsed, recipients } = expect.fail()] = received;
    expect(recipients).toEqual(['accounts@example.com', 'cfo@example.com']);
    expect(parsed.text).toContain(`Ihre Rechnung ${number} ist dieser E-Mail als PDF beigefügt.`);
    const [file = expect.fail()] = parsed.attachments;
    expect([file.filename, file.contentType]).toEqual([`${number}.pdf`, 'application/pdf']);
    expect(file.content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(mail).toMatchObject({ attachments: [{ size: file.content.byteLength }], sentAt: expect.any(String) });
  });

  it('keeps its text after it was sent, and leaves again when it is resent', async () => {
    const { id, number } = await issueTo(['ada@example.com']);
    const [mail] = await becomesSent(id);
    const token = service.operatorKey;
    const read = expectStatus(await service.call('GET', `/operator/mails/${mail.id}`, { token }), 200).body;
    expect(read.text).toContain(number);
    expectStatus(
      await service.call('POST', `/operator/mails/${mail.id}/resend`, { token, body: { to: ['x@example.com'] } }),
      201,
    );
    await eventually(
      async () => sent(number).length === 2,
      () => 'the second mail',
    );
    expect(sent(number).map(({ recipients }) => recipients)).toEqual([['ada@example.com'], ['x@example.com']]);
  });
});
