import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startTestService } from '../harness/service.ts';
import { startDelivering } from '../outbox/webhooks.ts';
import { patternOf, readDocument, runSteps, stepsOf } from './readme.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

it('docs/integrating.md shows, block by block, how a product is billed: from its sign-up to a webhook of the paid invoice', async () => {
  const port = await findFreePort();
  const service = await startTestService({ webhookAllowedHosts: [`127.0.0.1:${port}`] });
  const delivering = startDelivering(service);
  const steps = stepsOf(readDocument('docs/integrating.md'));
  const environment = { PAYDESK_URL: service.url, OPERATOR_KEY: service.operatorKey, PRODUCT_PORT: String(port) };
  const { outputs, errors } = await runSteps(steps, environment, ROOT);
  await delivering.stop();
  await service.stop();
  expect(errors).toBe('');
  for (const [index, { printed }] of steps.entries()) expect(outputs[index]?.trim()).toMatch(patternOf(printed.trim()));
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
