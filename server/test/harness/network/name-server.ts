import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';

/** A name server on loopback. `zone` holds the answers by name; of a list of answers each query gets the next. */
export async function startNameServer(zone: Record<string, string[][]>) {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, from) => {
    const [name, type] = readQuestion(query);
    const answers = type === 1 ? (zone[name] ?? []) : [];
    if (type === 1) asked += 1;
    const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
    socket.send(writeAnswer(query, addresses), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
  return { resolver, asked: () => asked, stop: () => socket.close() };
}

function readQuestion(query: Buffer): [string, number] {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return [labels.join('.').toLowerCase(), query.readUInt16BE(at + 1)];
}

/** RFC 1035: the question, and an A record for each address with a time to live of 0. */
function writeAnswer(query: Buffer, addresses: string[]): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
