import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; head: string; body: string; closed: boolean };

/** Opens a TCP connection to a service. */
export async function openSocket(url: string): Promise<Socket> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Tests expect that a server closes the connection while they still write.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return socket;
}

/** Sends bytes unchanged, and reads until the server closes the connection or is silent for `silenceMs`. */
export async function sendRaw(url: string, bytes: string, { silenceMs = 15_000 } = {}): Promise<RawAnswer> {
  const socket = await openSocket(url);
  socket.write(Buffer.from(bytes, 'latin1'));
  return readAnswer(socket, silenceMs);
}

/** Reads from a connection until the server closes it or is silent for `silenceMs`. */
export async function readAnswer(socket: Socket, silenceMs = 15_000): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = await new Promise<boolean>((resolve) => {
    socket.setTimeout(silenceMs, () => resolve(false));
    socket.once('end', () => resolve(true));
    socket.once('close', () => resolve(true));
  });
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body: rest.join('\r\n\r\n'), closed };
}

/** Returns the `Host` header of a request to a service. */
export function hostLine(url: string): string {
  return `Host: ${new URL(url).host}\r\n`;
}
