/** Reading mails about money as the operator does. */
import { expectStatus } from '../customers/actors.ts';
import { eventually } from '../harness/process.ts';
import type { TestService } from '../harness/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape is the API's, which every answer is checked against
type ApiMail = any;

/** A page of the mails that match. */
export async function listMails(service: TestService, query: string, token = service.operatorKey): Promise<ApiMail> {
  return expectStatus(await service.call('GET', `/operator/mails?${query}`, { token }), 200).body;
}

/** A mail with its text. */
export async function readMail(service: TestService, id: string): Promise<ApiMail> {
  return expectStatus(await service.call('GET', `/operator/mails/${id}`, { token: service.operatorKey }), 200).body;
}

/** The mails about an invoice of a type with their texts, newest first. */
export async function mailsAbout(service: TestService, invoiceId: string, type: string): Promise<ApiMail[]> {
  const { data } = await listMails(service, `invoiceId=${invoiceId}&type=${type}`);
  return Promise.all(data.map(({ id }: { id: string }) => readMail(service, id)));
}

/** The only mail about an invoice of a type. */
export async function mailAbout(service: TestService, invoiceId: string, type: string): Promise<ApiMail> {
  const mails = await eventually(
    async () => {
      const found = await mailsAbout(service, invoiceId, type);
      return found.length > 0 && found;
    },
    () => `a mail ${type}`,
  );
  if (mails.length !== 1) throw new Error(`There are ${mails.length} mails ${type}.`);
  return mails[0];
}
