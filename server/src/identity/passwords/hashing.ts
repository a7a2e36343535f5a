import { availableParallelism } from 'node:os';
import { ApiError } from '../../platform/errors.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { clientSite } from '../../platform/http/limits/client-network.ts';

/** A login answers soon or says that it can't. A sign-up, which people make once, may take its time. */
const PATIENCE_MS = { login: 2_000, signUp: 20_000 };
const RETRY_AFTER_SECONDS = 5;
/** Of all clients together. */
const MAX_WAITING = 1_000;

/** For whom a password is hashed. `network` is that of the client (see `clientNetwork`), `account` what its e-mail is known by. */
export type HashingCaller = { kind: keyof typeof PATIENCE_MS; network: string; account: string };

type Waiting = { start: () => void; refuse: () => void };

let running = 0;
const queue = createFairQueue<Waiting>();

/**
 * Runs password work, as many at a time as there are cores and one more: each takes 19 MiB and a core, and the rest of the service has
 * to live beside it. Others wait, in turn by the client's site, its network, logins and sign-ups, and the account, so that nobody waits for
 * all that one client asked for. Beyond a thousand waiting, the latest of the client with most of them is refused.
 * @throws ApiError service_unavailable after two seconds for a login, twenty for a sign-up, or when it is refused
 */
export async function withHashingSlot<T>(caller: HashingCaller, work: () => Promise<T>): Promise<T> {
  if (running > availableParallelism()) await waitInTurn(caller);
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
    }, PATIENCE_MS[kind]);
    queue.add(path, waiting);
    if (queue.size() > MAX_WAITING) queue.takeFromLongest()?.refuse();
  });
}
