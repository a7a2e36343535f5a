import { expect } from 'vitest';
import type { TestService } from './service.ts';

/**
 * Reads the value of a gauge as Prometheus would; fails when there is none. `token` authorizes the scrape, also while the database is
 * away.
 */
export async function expectMetric(service: TestService, name: string, token = service.operatorKey): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { token });
  const [, value] = text.match(new RegExp(`^${name} (\\S+)$`, 'm')) ?? [];
  expect(value, `${name} in /metrics`).toBeDefined();
  return Number(value);
}
