import { advanceDueRuns } from '../../src/billing/runs/pass/passes.ts';
import { expectStatus } from '../customers/actors.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../harness/service.ts';
import { readRun, work } from './billing.ts';

/** A service whose clock can be set. */
export type TimedService = TestService & { now: Date; setTime: (instant: string) => void };

/** Starts a service whose billing clock is stopped at an instant. */
export async function startTimedService(instant: string, options: TestServiceOptions = {}): Promise<TimedService> {
  let now = new Date(instant);
  const service = await startTestService({ ...options, clock: () => now });
  return Object.defineProperty(
    Object.assign(service, {
      setTime: (later: string) => {
        now = new Date(later);
      },
    }) as TimedService,
    'now',
    { get: () => now },
  );
}

/** Runs the schedule once at an instant, without the runs that it starts. */
export async function schedule(service: TimedService, instant: string): Promise<void> {
  service.setTime(instant);
  await advanceDueRuns(service.database.db, service.now);
}

/** Runs the schedule and a worker at an instant until nothing is left to do. */
export async function passTime(service: TimedService, instant: string): Promise<void> {
  await schedule(service, instant);
  await workOff(service);
}

/** Works until no run has a pass left. */
export async function workOff(service: TestService): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    if ((await listRuns(service)).every(({ status }) => status !== 'running')) return;
    await work(service);
  }
  throw new Error('The work does not end.');
}

export type Run = Awaited<ReturnType<typeof readRun>>;

/** Returns all runs, the oldest month first. */
export async function listRuns(service: TestService): Promise<Run[]> {
  const path = '/operator/billing-runs?perPage=1000';
  const { data } = expectStatus(await service.call('GET', path, { token: service.operatorKey }), 200).body;
  return data.toReversed();
}

/** Returns the run of a month with all its details. */
export async function findRun(service: TestService, period: string): Promise<Run> {
  const run = (await listRuns(service)).find((one) => one.period === period);
  if (run === undefined) throw new Error(`There is no run of ${period}.`);
  return readRun(service, run.id);
}
