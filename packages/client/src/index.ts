import { createApi } from './api.ts';
import type { Api } from './calls/api.generated.ts';
import { createSend } from './calls/send.ts';
import type { PaydeskOptions } from './calls/types.ts';
import { createUsageBuffer, type UsageBuffer, type UsageBufferOptions } from './usage-buffer.ts';

export type * from './calls/api.generated.ts';
export {
  isPaydeskError,
  type NextAction,
  PaydeskConnectionError,
  PaydeskError,
  type PaydeskErrorCode,
} from './calls/errors.ts';
export type { AnswerInfo, Credential, List, PaydeskOptions, RequestOptions, SessionTokens } from './calls/types.ts';
export { type UsageBuffer, type UsageBufferOptions, UsageRejectedError } from './usage-buffer.ts';
export {
  SessionVerificationError,
  type VerifiedSession,
  type VerifySessionOptions,
  verifySession,
} from './verify-session.ts';
export { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

/** A client of one service. */
export type Paydesk = Api & {
  operator: {
    /**
     * Creates a buffer that collects usage events and sends them in batches. Close it before the program ends.
     *
     * @throws TypeError if an option is out of range
     */
    usageBuffer(options?: UsageBufferOptions): UsageBuffer;
  };
};

/**
 * Creates a client of the Paydesk at `url`, as a company with `accessToken`, as its operator with `operatorKey`, or
 * both. @throws TypeError if the URL is invalid
 */
export function createPaydesk(options: PaydeskOptions): Paydesk {
  const api = createApi(createSend(options));
  const { usage } = api.operator;
  const usageBuffer = (ofBuffer?: UsageBufferOptions) => createUsageBuffer((events) => usage.report(events), ofBuffer);
  return { ...api, operator: { ...api.operator, usageBuffer } };
}
