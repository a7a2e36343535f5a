import { request as sendRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../../../test/battery/battery.ts';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  token = (await signUpAdmin(service)).token;
});
afterAll(() => service?.stop());

const MIB = 1024 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a body has at most 1 MiB', () => {
  const labelOf = (bytes: number) => {
    const body = JSON.stringify({ name: 'x', description: 'x', color: '#fff', userName: 'x', unknown: '' });
    return body.replace('"unknown":""', `"unknown":"${'x'.repeat(bytes - body.length)}"`);
  };

  test('1 MiB to the byte is accepted, one byte more is 413', async () => {
    expectStatus(await service.call('POST', '/labels', { token, rawBody: labelOf(MIB), headers: JSON_TYPE }), 201);
    const answer = await service.call('POST', '/labels', { token, rawBody: labelOf(MIB + 1), headers: JSON_TYPE });
    expectRefusal(answer, 413, 'payload_too_large');
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('the size is counted in bytes, not in characters', async () => {
    const rawBody = JSON.stringify({ name: '😀'.repeat(300_000) });
    expect(rawBody.length).toBeLessThan(MIB);
    expectRefusal(
      await service.call('POST', '/labels', { token, rawBody, headers: JSON_TYPE }),
      413,
      'payload_too_large',
    );
  });

  // Security (Bodies, paths and queries): A body of 10 MiB is 413, declared or chunked
  test('a declared length is 413 at once, before any of the body is sent', async () => {
    expect(await upload(0, 'declared', 10 * MIB)).toBe(413);
  });

  // Security (Bodies, paths and queries): A body of 10 MiB is 413, declared or chunked
  test('a body in chunks is 413 as soon as it is too large, whatever would follow', async () => {
    expect(await upload(MIB + 1, 'chunked', Number.POSITIVE_INFINITY)).toBe(413);
  });

  test.each(['declared', 'chunked'] as const)(
    '10 MiB, %s and sent without reading the answer, are refused',
    async (kind) => {
      expect([413, 'closed']).toContain(await upload(10 * MIB, kind));
    },
  );

  // Security (Bodies, paths and queries): Large bodies do not increase memory
  test('memory does not grow with 20 parallel uploads of 10 MiB', async () => {
    await upload(10 * MIB, 'chunked');
    const before = process.memoryUsage().arrayBuffers;
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().arrayBuffers);
    }, 5);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => upload(10 * MIB, 'chunked')));
    clearInterval(watch);
    expect(statuses.filter((status) => status !== 413 && status !== 'closed')).toEqual([]);
    // Bodies are read into array buffers. Keeping all would need 200 MiB; one buffer of 1 MiB each is allowed.
    expect((highest - before) / MIB).toBeLessThan(100);
  });
});

/**
 * Sends bytes from one small buffer that is used again and again, and stops when the answer comes.
 * @returns its status; `closed` when the server closed the connection and the client, which was sending, did not see the answer:
 * the operating system may report the failed write first, and Node then reads no more
 */
async function upload(bytes: number, kind: 'declared' | 'chunked', announcedBytes = bytes): Promise<number | 'closed'> {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  const pieces = function* () {
    for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
  };
  return new Promise((resolve, reject) => {
    const length = kind === 'declared' ? { 'content-length': announcedBytes } : { 'transfer-encoding': 'chunked' };
    const headers = { ...JSON_TYPE, ...length, authorization: `Bearer ${token}`, connection: 'close' };
    const request = sendRequest(`${service.url}/labels`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
      request.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve('closed');
      else reject(error);
    });
    request.flushHeaders();
    // Not ended when more was announced than is sent: the answer must not wait for the rest.
    const end = bytes === announcedBytes;
    Readable.from(pieces())
      .on('error', () => undefined)
      .pipe(request, { end });
  });
}
