import type { Worker } from '../../platform/background/background.ts';
import type { ChargesHold } from './charges-hold.service.ts';

/** Runs these workers while charges are not held: a hold stops them, and they start again when it ends. */
export function runUnlessHeld({ current, onChange }: ChargesHold, start: () => readonly Worker[]): Worker {
  let running: readonly Worker[] = [];
  let isStopped = false;
  let turn = Promise.resolve();
  const adapt = async () => {
    const shouldRun = !isStopped && current() === null;
    if (shouldRun && running.length === 0) running = start();
    if (shouldRun) return;
    const ending = running;
    running = [];
    await Promise.all(ending.map(({ stop }) => stop()));
  };
  // One after the other: workers that still end do not run beside their successors.
  const adaptInTurn = () => {
    turn = turn.then(adapt);
  };
  const stopListening = onChange(adaptInTurn);
  adaptInTurn();
  return {
    stop: async () => {
      isStopped = true;
      stopListening();
      adaptInTurn();
      await turn;
    },
  };
}
