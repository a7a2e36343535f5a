import type { IngestionResult, UsageEventBody } from './calls/api.generated.ts';
import { isPaydeskError, PaydeskConnectionError } from './calls/errors.ts';
import { isTransient, sleep } from './calls/retries.ts';
import type { RequestOptions } from './calls/types.ts';

export type UsageBufferOptions = {
  /** How many events a batch has at most; 1,000 by default, which is the most that the service takes. */
  maxEvents?: number;
  /** How many milliseconds an event waits at most before its batch is sent; 1,000 by default. */
  maxMilliseconds?: number;
  /** How many unsent events the buffer holds before `add` waits; 10,000 by default. */
  maxWaiting?: number;
  /**
   * Called with events that could not be sent, and the reason: a `UsageRejectedError` for events that the service refused.
   * Without it, `close` rejects with the first reason.
   */
  onDropped?: (events: UsageEventBody[], error: unknown) => void | Promise<void>;
};

/** Collects usage events, and sends them in batches in the order in which they were added. */
export type UsageBuffer = {
  /**
   * Adds an event. Resolves at once if the buffer has room, otherwise when it has room again. It does not wait for the event to be sent.
   * @throws TypeError if the buffer is closed
   */
  add(event: UsageEventBody): Promise<void>;
  /**
   * Sends all events that were added, and resolves when each is stored or was passed to `onDropped`. If the service cannot be reached, it
   * gives up after the retries of one batch.
   */
  close(): Promise<void>;
};

/** The service refused some events of a batch and stored the others. */
export class UsageRejectedError extends Error {
  override readonly name = 'UsageRejectedError';
  /** `invalid_event`, `unknown_company`, `time_in_future` or `too_late`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

const DEFAULTS = { maxEvents: 1_000, maxMilliseconds: 1_000, maxWaiting: 10_000 };
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** How often a batch is sent that the service answers with a fault of its own, which may be the batch's. */
const MAX_FAULTS = 3;

type Report = (events: UsageEventBody[], options?: RequestOptions) => Promise<IngestionResult>;
type Waiting = { event: UsageEventBody; admit: () => void };

/**
 * Creates a buffer of usage events. While the service cannot be reached, the open buffer sends a batch again and again with the same ids,
 * so that each event counts once. @param report - sends a batch, with the retries of the client @throws TypeError if a limit is not a
 * positive whole number, or `maxEvents` is over 1,000
 */
export function createUsageBuffer(report: Report, options: UsageBufferOptions = {}): UsageBuffer {
  const { maxEvents, maxMilliseconds, maxWaiting } = readLimits(options);
  const closing = new AbortController();
  const sender = createBatchSender(report, options.onDropped, closing.signal);
  /** Events that were added, without those of the batch that is being sent. */
  const queue: UsageEventBody[] = [];
  const waiting: Waiting[] = [];
  let sentNow = 0;
  /** Whether a batch is sent although it is not full. */
  let isDue = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: Promise<void> | undefined;

  const hasRoom = () => queue.length + sentNow < maxWaiting;

  function enqueue(event: UsageEventBody): void {
    queue.push(event);
    timer ??= setTimeout(sendWhatWaits, maxMilliseconds);
  }

  function sendWhatWaits(): void {
    isDue = true;
    sending ??= sendBatches();
  }

  async function sendBatches(): Promise<void> {
    while (queue.length >= maxEvents || (isDue && queue.length > 0)) {
      const batch = queue.splice(0, maxEvents);
      if (queue.length === 0) {
        clearTimeout(timer);
        timer = undefined;
        isDue = closing.signal.aborted;
      }
      sentNow = batch.length;
      await sender.send(batch);
      sentNow = 0;
      while (hasRoom() && waiting.length > 0) {
        const { event, admit } = waiting.shift() as Waiting;
        enqueue(event);
        admit();
      }
      isDue ||= waiting.length > 0;
    }
    sending = undefined;
  }

  return {
    async add(event) {
      if (closing.signal.aborted) throw new TypeError('The usage buffer is closed.');
      if (!hasRoom()) {
        sendWhatWaits();
        return new Promise<void>((admit) => waiting.push({ event, admit }));
      }
      enqueue(event);
      if (queue.length >= maxEvents) sending ??= sendBatches();
    },
    async close() {
      closing.abort();
      sendWhatWaits();
      await sending;
      sender.throwFailure();
    },
  };
}

function readLimits(options: UsageBufferOptions): typeof DEFAULTS {
  const {
    maxEvents = DEFAULTS.maxEvents,
    maxMilliseconds = DEFAULTS.maxMilliseconds,
    maxWaiting = DEFAULTS.maxWaiting,
  } = options;
  const limits = { maxEvents, maxMilliseconds, maxWaiting };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`The option ${name} must be a positive whole number.`);
  }
  if (maxEvents > DEFAULTS.maxEvents) throw new TypeError('The option maxEvents must be at most 1000.');
  return limits;
}

/** Creates the sender of batches. @param closing - aborts when the buffer is closed */
function createBatchSender(report: Report, onDropped: UsageBufferOptions['onDropped'], closing: AbortSignal) {
  let failure: { error: unknown } | undefined;
  /** Why the service could not be reached after the buffer was closed. */
  let outage: { error: unknown } | undefined;

  async function drop(events: UsageEventBody[], error: unknown): Promise<void> {
    try {
      if (onDropped === undefined) throw error;
      await onDropped(events, error);
    } catch (thrown) {
      failure ??= { error: thrown };
    }
  }

  async function send(events: UsageEventBody[]): Promise<void> {
    for (let attempt = 1; outage === undefined; attempt += 1) {
      try {
        const { results } = await report(events);
        for (const { reason, message, rejected } of groupRejected(events, results)) {
          await drop(rejected, new UsageRejectedError(reason, message));
        }
        return;
      } catch (error) {
        if (isPaydeskError(error, 'payload_too_large') && events.length > 1) return sendHalves(events);
        if (!mayPass(error, attempt)) return drop(events, error);
        if (closing.aborted) outage = { error };
        else await sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)), closing).catch(() => undefined);
      }
    }
    await drop(events, outage.error);
  }

  async function sendHalves(events: UsageEventBody[]): Promise<void> {
    const middle = Math.ceil(events.length / 2);
    await send(events.slice(0, middle));
    await send(events.slice(middle));
  }

  return {
    send,
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
  };
}

/** Whether the same batch may be stored if it is sent again. */
function mayPass(error: unknown, attempt: number): boolean {
  if (isPaydeskError(error) && error.status === 500) return attempt < MAX_FAULTS;
  return (isPaydeskError(error) || error instanceof PaydeskConnectionError) && isTransient(error);
}

type RejectedGroup = { reason: string; message: string; rejected: UsageEventBody[] };

/** Returns the events that the service refused, those with the same reason and message together. */
function groupRejected(events: UsageEventBody[], results: IngestionResult['results']): Iterable<RejectedGroup> {
  const groups = new Map<string, RejectedGroup>();
  for (const [index, { status, reason, message }] of results.entries()) {
    const event = events[index];
    if (status !== 'rejected' || event === undefined) continue;
    const key = `${reason} ${message}`;
    const group = groups.get(key) ?? { reason: reason ?? '', message: message ?? '', rejected: [] };
    group.rejected.push(event);
    groups.set(key, group);
  }
  return groups.values();
}
