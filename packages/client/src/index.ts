import type { Api } from './api.generated.ts';
import { createApi } from './api.ts';
import { createSend } from './send.ts';
import type { PaydeskOptions } from './types.ts';

export type * from './api.generated.ts';
export {
  isPaydeskError,
  PaydeskConnectionError,
  PaydeskError,
  type PaydeskErrorCode,
} from './errors.ts';
export type { AnswerInfo, Credential, List, PaydeskOptions, RequestOptions, SessionTokens } from './types.ts';
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

/** A client of one service. */
export type Paydesk = Api;

/**
 * Creates a client of the Paydesk at `url`, as a company with `accessToken`, as its operator with `operatorKey`, or
 * both. @throws TypeError if the URL is invalid
 */
export function createPaydesk(options: PaydeskOptions): Paydesk {
  return createApi(createSend(options));
}
