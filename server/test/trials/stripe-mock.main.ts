/**
 * `npm run stripe-mock` sends every request of Stripe's adapter to stripe-mock, Stripe's own server that checks requests against its
 * description of the API. It fails if stripe-mock refuses one, if the adapter can't read an answer, or if our stand-in for Stripe answers
 * with a field that Stripe has not, or has with another type. It uses the stripe-mock on the PATH or in `STRIPE_MOCK`; to install it:
 * `go install github.com/stripe/stripe-mock@latest`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { startStripeServer } from '../stand-ins/stripe/stripe-server.ts';
import { driveAdapter } from './stripe-mock.drive.ts';
import { findDifferences, type Seen, startObserver } from './stripe-mock.observer.ts';

const { child, url } = await startStripeMock();
const standIn = await startStripeServer();
try {
  const [atMock, atStandIn]: [Seen[], Seen[]] = [[], []];
  const mockObserver = await startObserver(url, atMock, { bends: true });
  const standInObserver = await startObserver(standIn.url, atStandIn, { bends: false });
  const failures = await driveAdapter({ url: mockObserver.url, books: null });
  const own = await driveAdapter({ url: standInObserver.url, books: standIn.books });
  await Promise.all([mockObserver.close(), standInObserver.close()]);
  const refusals = atMock
    .filter(({ status }) => status >= 400)
    .map(({ route, sent, status, answer }) => `${route} with ${sent}: ${status} ${JSON.stringify(answer)}`);
  const findings = [
    ...refusals.map((text) => `stripe-mock refuses ${text}`),
    ...failures.map((text) => `at stripe-mock, ${text}`),
    ...own.map((text) => `at the stand-in, ${text}`),
    ...findDifferences(atMock, atStandIn).map((text) => `the stand-in differs: ${text}`),
  ];
  for (const finding of findings) console.error(finding);
  const routes = new Set(atMock.map(({ route }) => route));
  console.log(`${atMock.length} requests to ${routes.size} routes, ${findings.length} findings.`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await standIn.close();
  child.kill('SIGTERM');
}

/** Starts stripe-mock on a port of its choice, and waits until it listens. */
async function startStripeMock(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.env.STRIPE_MOCK ?? 'stripe-mock',
    ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const failed = once(child, 'exit').then(
    () => {
      throw new Error('stripe-mock does not run.');
    },
    () => {
      throw new Error(
        'Install it (go install github.com/stripe/stripe-mock@latest), or say in STRIPE_MOCK where it is.',
      );
    },
  );
  const listening = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /^Listening for HTTP at address: (127\.0\.0\.1:\d+)$/.exec(line)?.[1];
      if (address !== undefined) return address;
    }
    throw new Error('stripe-mock does not listen.');
  })();
  const address = await Promise.race([listening, failed]);
  child.stdout.resume();
  return { child, url: `http://${address}` };
}
