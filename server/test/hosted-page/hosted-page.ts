/** Opening the hosted page of an invoice as a browser does. */
import { expectStatus } from '../customers/actors.ts';
import type { TestService } from '../harness/service.ts';

export type PageAnswer = { status: number; headers: Headers; text: string };

/** The path of the hosted page of an invoice. */
export async function pathOfPage(service: TestService, invoiceId: string): Promise<string> {
  const answer = await service.call('GET', `/operator/invoices/${invoiceId}/link`, { token: service.operatorKey });
  return new URL(expectStatus(answer, 200).body.url).pathname;
}

/** Requests a page, and follows no redirect. */
export async function open(service: TestService, path: string, init: RequestInit = {}): Promise<PageAnswer> {
  const answer = await fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Sends a form, as a page without a script does. */
export function post(
  service: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<PageAnswer> {
  return open(service, path, { method: 'POST', body: new URLSearchParams(fields), headers });
}

/** What a page says of the invoice; `null` on a page without one. */
export function stateOn({ text }: Pick<PageAnswer, 'text'>): string | null {
  return /data-state="(\w+)"/.exec(text)?.[1] ?? null;
}

/** The fields of a card as they are typed. */
export function typedFields(changes: Record<string, string> = {}): Record<string, string> {
  const year = String(new Date().getUTCFullYear() + 3);
  return {
    ...{ card: 'new', cardName: 'Grace Hopper', cardNumber: '4242 4242 4242 4242' },
    ...{ expMonth: '12', expYear: year, cvv: '123', country: 'US' },
    ...changes,
  };
}
