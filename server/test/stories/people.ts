/**
 * A small language for stories about access. People send their requests over HTTP to a real service, each with the access token of their
 * newest login.
 */
import { pollUntil } from '../customers/accounts.ts';
import { expectStatus } from '../customers/actors.ts';
import type { Answer } from '../harness/request.ts';
import type { TestService } from '../harness/service.ts';
import { mailsTo, tokenIn } from '../mail/mails.ts';

export type Person = ReturnType<typeof meet>;

/** Somebody who has no account yet, or a program that has only a key. */
export function meet(service: TestService, firstName: string, { key }: { key?: string } = {}) {
  const email = `${firstName.toLowerCase()}@example.com`;
  let token = key;
  let refreshToken = '';

  const send = (request: string, body?: object): Promise<Answer> => {
    const [method = '', path = ''] = request.split(' ');
    return service.call(method, path, { ...(token === undefined ? {} : { token }), ...(body ? { body } : {}) });
  };
  /** Sends a request that succeeds. @returns the body of its answer */
  const does = async (request: string, body?: object) => {
    const answer = await send(request, body);
    if (answer.status >= 300) return expectStatus(answer, 200);
    if (answer.body?.data?.access_token) {
      ({ access_token: token, refresh_token: refreshToken } = answer.body.data);
    }
    return answer.body;
  };
  return {
    email,
    does,
    /** Sends a request that is refused. @returns the status and the code of the error */
    isRefused: async (request: string, body?: object): Promise<string> => {
      const { status, body: refusal } = await send(request, body);
      return `${status} ${refusal?.error?.code}`;
    },
    /** Logs in by the password. */
    logsIn: (password: string) => does('POST /auth/local', { email, password }),
    /** Gets the next tokens. */
    refreshes: () => does('POST /auth/refresh', { refresh_token: refreshToken }),
    /** The refresh token, as somebody reads it who has the device. */
    refreshToken: () => refreshToken,
    /** Forgets the access token, as a program does that is closed. */
    closesTheApp: () => {
      token = undefined;
    },
    /** Waits until the newest mail has this type, because some are written after the answer. @returns the token of its link */
    linkOf: async (type: string): Promise<string> => {
      const [mail] = await pollUntil(
        () => mailsTo(service, email),
        ([newest]) => newest?.type === type,
      );
      return tokenIn(mail.text);
    },
  };
}
