import type { UsageThresholdBody } from '@paydesk/client';
import { paydesk } from '../../api/session.ts';

type Options = { idempotencyKey?: string; signal?: AbortSignal };

/** The thresholds of a company that the operator looks at, or of the company itself. */
export function thresholdsOf(companyId: string | undefined) {
  if (companyId === undefined) return paydesk().usageThresholds;
  const { companies, usageThresholds } = paydesk().operator;
  return {
    list: (options: Options) => companies.usageThresholds.list(companyId, options),
    create: (body: UsageThresholdBody, options: Options) =>
      companies.usageThresholds.create(companyId, body as never, options),
    delete: (id: string) => usageThresholds.delete(id),
  };
}

export function keyOf(companyId: string | undefined) {
  return companyId === undefined ? ['usage-thresholds'] : ['companies', companyId, 'usage-thresholds'];
}
