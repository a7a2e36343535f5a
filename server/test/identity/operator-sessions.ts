import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';

type Calling = Pick<TestService, 'call' | 'operatorKey' | 'config'>;

/** An open session: its access token, and its cookie as a browser sends it. */
export type OpenedSession = { token: string; cookie: string };

/** The cookie that an answer sets whose name begins with `__Host-`, with its attributes; empty without one. */
export function hostCookieOf({ headers }: Answer): string {
  return headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-')) ?? '';
}

/** The same as a browser sends it. */
export function sentCookieOf(answer: Answer): string {
  return hostCookieOf(answer).split(';')[0] ?? '';
}

/** Logs in to the console with an operator key, the first one by default, from a page of the service. */
export async function logInToConsole(service: Calling, key = service.operatorKey): Promise<OpenedSession> {
  const headers = { origin: new URL(service.config.publicUrl).origin };
  const answer = await service.call('POST', '/auth/operator?session=console', { body: { key }, headers });
  return { token: expectStatus(answer, 200).body.data.access_token, cookie: sentCookieOf(answer) };
}

/** Opens the view of a company, with the first operator key by default. */
export async function openView(
  { call, operatorKey }: Pick<Calling, 'call' | 'operatorKey'>,
  companyId: string,
  token = operatorKey,
): Promise<OpenedSession> {
  const answer = expectStatus(await call('POST', `/operator/companies/${companyId}/views`, { token }), 201);
  return { token: answer.body.access_token, cookie: sentCookieOf(answer) };
}
