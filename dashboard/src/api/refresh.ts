/** A refresh that another tab has been answered. */
type Shared = { url: string; text: string };

const LOCK = 'paydesk-refresh';
/** The answer reaches the other tabs before their turn. Who misses it refreshes, which is slower and does no harm. */
const HANDOVER_MS = 50;
/** It reaches the pages of this service in this browser, and is stored nowhere. */
const channel = new BroadcastChannel('paydesk-refresh');

let latest: (Shared & { atMs: number }) | null = null;
channel.onmessage = ({ data }: MessageEvent<Shared>) => {
  latest = { ...data, atMs: performance.now() };
};

/**
 * Fetches, and refreshes in turn with the other tabs of the browser, which share a cookie: none sends a token that another has used up, and
 * who has waited takes the answer that another tab has got meanwhile.
 */
export function fetchInTurn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = String(input);
  if (new URL(url, location.origin).pathname !== '/auth/refresh') return fetch(input, init);
  const askedAtMs = performance.now();
  return new Promise((resolve, reject) => {
    const refresh = async () => {
      if (latest?.url === url && latest.atMs > askedAtMs) {
        resolve(new Response(latest.text, { headers: { 'content-type': 'application/json' } }));
        return;
      }
      const answer = await fetch(input, init);
      const text = answer.status === 200 ? await answer.clone().text() : null;
      resolve(answer);
      if (text === null) return;
      channel.postMessage({ url, text } satisfies Shared);
      await new Promise((next) => setTimeout(next, HANDOVER_MS));
    };
    navigator.locks.request(LOCK, refresh).catch(reject);
  });
}
