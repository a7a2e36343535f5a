import { availableParallelism } from 'node:os';
import { ApiError } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { clientSite } from '../../platform/http/limits/client-network.ts';

/** A login answers soon or is refused. A sign-up, which people make once, may wait longer. */
const MAX_WAIT_MS = { login: 2_000, signUp: 20_000 };
const RETRY_AFTER_SECONDS = 5;
/** Of all clients together. */
const MAX_WAITING = 1_000;

/**
 * For whom a password is hashed: `network` is that of the client (see `clientNetwork`), `account` the key of its
 * e-mail.
 */
export type HashingCaller = { kind: keyof typeof MAX_WAIT_MS; network: string; account: string };

type Waiting = { start: () => void; refuse: () => void };

let running = 0;
const queue = createFairQueue<Waiting>();

/**
 * Runs password work, as many at a time as there are cores: each takes 19 MiB and a core, and the rest of the service
 * runs beside it. Others wait and take turns by site, network, kind (login or sign-up) and account, so that
 * no client waits for everything another one requested. Beyond a thousand waiting, the newest request of the client
 * with most of them is refused.
 * @throws ApiError service_unavailable after two seconds for a login, twenty for a sign-up, or when it is refused
 */
export async function withHashingSlot<T>(caller: HashingCaller, work: () => Promise<T>): Promise<T> {
  if (running >= availableParallelism()) await waitInTurn(caller);
  else running += 1;
  try {
    return await work();
  } finally {
    const next = queue.take();
    if (next === undefined) running -= 1;
    else next.start();
  }
}

function waitInTurn({ kind, network, account }: HashingCaller): Promise<void> {
  const path = [clientSite(network), network, kind, account];
  return new Promise((resolve, reject) => {
    const refuse = () => {
      clearTimeout(timer);
      const message = 'Too many logins and sign-ups at once. Try again soon.';
      reject(new ApiError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    };
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const waiting = { start, refuse };
    const timer = setTimeout(() => {
      queue.remove(path, waiting);
      refuse();
    }, MAX_WAIT_MS[kind]);
    queue.add(path, waiting);
    if (queue.size() > MAX_WAITING) queue.takeFromLongest()?.refuse();
  });
}
