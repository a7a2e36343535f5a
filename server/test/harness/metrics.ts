import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** The value of a gauge, as Prometheus would read it. Fails when there is none. `token`: what reads it, also while the database is away. */
export async function expectMetric(service: TestService, name: string, token = service.operatorKey): Promise<number> {
  const { text } = await service.call('GET', '/metrics', { token });
  const [, value] = text.match(new RegExp(`^${name} (\\S+)$`, 'm')) ?? [];
  expect(value, `${name} in /metrics`).toBeDefined();
  return Number(value);
}
