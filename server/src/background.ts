import { setTimeout as sleep } from 'node:timers/promises';

/** Work in the background. `stop` begins nothing new, ends what is begun as soon as it can, and waits for that. */
export type Worker = { stop: () => Promise<void> };

/**
 * Does one turn after the other, in the background, until it is stopped. A turn must not reject: it logs what went wrong by itself.
 * @param turn - answers after how many milliseconds the next one comes
 */
export function repeat(
  turn: (signal: AbortSignal) => Promise<number>,
  { firstAfterMs = 0 }: { firstAfterMs?: number } = {},
): Worker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = async () => {
    let pauseMs = firstAfterMs;
    while (await pause(pauseMs, signal)) pauseMs = await turn(signal);
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** False when it was ended early. It alone does not keep the process alive. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  if (durationMs === 0) return !signal.aborted;
  return sleep(durationMs, true, { signal, ref: false }).catch(() => false);
}
