import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerInfo,
  createPaydesk,
  isPaydeskError,
  PaydeskConnectionError,
  type UsageBufferOptions,
  type UsageEventBody,
  UsageRejectedError,
} from '../src/index.ts';
import { type Reply, refusal, type Script, startScript } from './script.ts';

let script: Script;
beforeAll(async () => {
  script = await startScript();
});
afterAll(() => script?.stop());
beforeEach(() => script.play(stored));

const stored: Reply = { status: 200, body: { accepted: 0, duplicate: 0, rejected: 0, results: [] } };

function usageEvent(id: string): UsageEventBody {
  return {
    ...{ specversion: '1.0', type: 'paydesk.usage', source: '/product', subject: 'external:acme' },
    ...{ id, time: '2026-10-01T12:00:00Z', data: { path: '/v1/transcriptions', quantity: 1 } },
  };
}

type Dropped = { ids: string[]; error: unknown };

/** Creates a buffer of the scripted service, and the list of what it could not send. */
function startBuffer(options: UsageBufferOptions = {}) {
  const dropped: Dropped[] = [];
  const answers: number[] = [];
  const onAnswer = ({ status }: AnswerInfo) => void answers.push(status);
  const { operator } = createPaydesk({ url: script.url, operatorKey: 'key', maxRetries: 0, onAnswer });
  const onDropped = (events: UsageEventBody[], error: unknown) => {
    dropped.push({ ids: events.map(({ id }) => id), error });
  };
  return { dropped, answers, buffer: operator.usageBuffer({ maxMilliseconds: 60_000, onDropped, ...options }) };
}

/** The ids of each batch that the service got. */
const batches = () => script.asked.map(({ body }) => (JSON.parse(body) as UsageEventBody[]).map(({ id }) => id));

describe('a usage buffer', () => {
  it('sends each batch when it is full, and the rest when it is closed', async () => {
    const { buffer, answers, dropped } = startBuffer({ maxEvents: 2 });
    for (const id of ['1', '2', '3']) await buffer.add(usageEvent(id));
    await expect.poll(batches).toEqual([['1', '2']]);
    expect(script.asked[0]).toMatchObject({
      method: 'POST',
      path: '/operator/usage',
      headers: { 'content-type': 'application/cloudevents-batch+json', authorization: 'Bearer key' },
    });
    await expect.poll(() => answers).toEqual([200]);
    await buffer.add(usageEvent('4'));
    await buffer.add(usageEvent('5'));
    await buffer.close();
    expect(batches()).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(dropped).toEqual([]);
  });

  it('sends a batch that is not full after the longest wait', async () => {
    const { buffer } = startBuffer({ maxMilliseconds: 1 });
    await buffer.add(usageEvent('1'));
    await expect.poll(batches).toEqual([['1']]);
    await buffer.add(usageEvent('2'));
    await expect.poll(batches).toEqual([['1'], ['2']]);
    await buffer.close();
  });

  it('sends the same ids again after an outage, in the order in which they were added', async () => {
    const { buffer, dropped } = startBuffer({ maxEvents: 1 });
    script.play('cut', refusal(503, 'service_unavailable'), stored);
    await Promise.all([buffer.add(usageEvent('1')), buffer.add(usageEvent('2'))]);
    await expect.poll(batches, { timeout: 10_000 }).toEqual([['1'], ['1'], ['1'], ['2']]);
    await buffer.close();
    expect(dropped).toEqual([]);
  });

  it('makes add wait while it holds as many events as it may, and takes them in turn', async () => {
    const { buffer } = startBuffer({ maxEvents: 2, maxWaiting: 2 });
    script.play('silence');
    const added: string[] = [];
    const adding = ['1', '2', '3', '4', '5'].map(async (id) => {
      await buffer.add(usageEvent(id));
      added.push(id);
    });
    await expect.poll(batches).toEqual([['1', '2']]);
    expect(added).toEqual(['1', '2']);
    script.play(stored);
    // The server closes the connection of the first attempt, as an outage does.
    script.cut();
    await Promise.all(adding);
    expect(added).toEqual(['1', '2', '3', '4', '5']);
    await buffer.close();
    expect(batches()).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  it('sends what waits for room when it is closed', async () => {
    const { buffer } = startBuffer({ maxEvents: 1, maxWaiting: 1 });
    const adding = ['1', '2', '3'].map((id) => buffer.add(usageEvent(id)));
    await buffer.close();
    await Promise.all(adding);
    expect(batches()).toEqual([['1'], ['2'], ['3']]);
    await buffer.close();
    await expect(buffer.add(usageEvent('4'))).rejects.toThrow(new TypeError('The usage buffer is closed.'));
  });
});

describe('what a usage buffer could not send', () => {
  it('is passed on with the reason when the service refuses single events', async () => {
    const { buffer, dropped } = startBuffer();
    const accepted = { id: '1', status: 'accepted', reason: null, message: null };
    const rejected = { status: 'rejected', reason: 'unknown_company', message: 'No company has this id.' };
    const results = [accepted, { id: '2', ...rejected }, { id: '3', ...rejected }];
    script.play({ status: 200, body: { accepted: 1, duplicate: 0, rejected: 2, results } });
    for (const id of ['1', '2', '3']) await buffer.add(usageEvent(id));
    await buffer.close();
    const error = new UsageRejectedError('unknown_company', 'No company has this id.');
    expect(dropped).toEqual([{ ids: ['2', '3'], error }]);
  });

  it('is passed on after the first refusal of a batch that cannot succeed, and the next batches are sent', async () => {
    const { buffer, dropped } = startBuffer({ maxEvents: 1 });
    script.play(refusal(403, 'forbidden'), stored);
    await buffer.add(usageEvent('1'));
    await buffer.add(usageEvent('2'));
    await buffer.close();
    expect(batches()).toEqual([['1'], ['2']]);
    expect(dropped).toMatchObject([{ ids: ['1'], error: { code: 'forbidden' } }]);
  });

  it('is passed on at once when the buffer is closed during an outage', async () => {
    const { buffer, dropped } = startBuffer({ maxEvents: 1 });
    script.play('cut');
    for (const id of ['1', '2', '3']) await buffer.add(usageEvent(id));
    await buffer.close();
    expect(dropped.map(({ ids }) => ids)).toEqual([['1'], ['2'], ['3']]);
    expect(dropped[0]?.error).toBeInstanceOf(PaydeskConnectionError);
    expect(new Set(batches().flat())).toEqual(new Set(['1']));
  });

  it('is none when a batch is too large for the service: its halves are sent', async () => {
    const { buffer, dropped } = startBuffer();
    script.play(refusal(413, 'payload_too_large'), refusal(413, 'payload_too_large'), stored);
    for (const id of ['1', '2', '3']) await buffer.add(usageEvent(id));
    await buffer.close();
    expect(batches()).toEqual([['1', '2', '3'], ['1', '2'], ['1'], ['2'], ['3']]);
    expect(dropped).toEqual([]);
  });

  it('rejects the close if nobody takes it', async () => {
    const { operator } = createPaydesk({ url: script.url, operatorKey: 'key', maxRetries: 0 });
    const buffer = operator.usageBuffer();
    script.play(refusal(403, 'forbidden'));
    await buffer.add(usageEvent('1'));
    await expect(buffer.close()).rejects.toSatisfy((error) => isPaydeskError(error, 'forbidden'));
  });

  it('is passed on after three attempts that the service answers with a fault of its own', async () => {
    const { buffer, dropped } = startBuffer({ maxEvents: 1 });
    script.play(refusal(500, 'internal_error'));
    await buffer.add(usageEvent('1'));
    await expect
      .poll(() => dropped, { timeout: 10_000 })
      .toMatchObject([{ ids: ['1'], error: { code: 'internal_error' } }]);
    expect(batches()).toEqual([['1'], ['1'], ['1']]);
    await buffer.close();
  });
});

describe('the options of a usage buffer', () => {
  it.each([
    [{ maxEvents: 0 }, 'The option maxEvents must be a positive whole number.'],
    [{ maxEvents: 1_001 }, 'The option maxEvents must be at most 1000.'],
    [{ maxMilliseconds: 1.5 }, 'The option maxMilliseconds must be a positive whole number.'],
    [{ maxWaiting: Number.NaN }, 'The option maxWaiting must be a positive whole number.'],
  ])('%j is refused', (options, message) => {
    expect(() => startBuffer(options)).toThrow(new TypeError(message));
  });
});
