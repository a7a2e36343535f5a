/** Servers on this machine that stand in for PostgreSQL: a proxy, a pooler that shares sessions, and a port where nothing listens. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export type TcpProxy = { port: number; close: () => Promise<void> };

type SocketAddress = { host: string; port: number };

async function open(server: Server, sockets: Set<Socket>): Promise<TcpProxy> {
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const dial = ({ host, port }: SocketAddress) => connect(`${host}/.s.PGSQL.${port}`).on('error', () => undefined);

/**
 * Forwards everything. With `database`, logins to one database are sent to another whose name has the same length. So two proxies look like
 * two servers that have a database with the same name.
 */
export async function openProxy(target: SocketAddress, database?: { asked: string; given: string }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(target);
    sockets.add(upstream);
    client.once('data', (login) => {
      const text = login.toString('latin1');
      upstream.write(Buffer.from(database ? text.replace(database.asked, database.given) : text, 'latin1'));
      client.pipe(upstream);
      upstream.pipe(client);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  return open(server, sockets);
}

/** Splits what arrives into the messages of PostgreSQL's protocol 3.0, except the login. */
function createFramer(onMessage: (message: Buffer) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = rest.readUInt32BE(1) + 1;
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

const KNOWN_PARAMETERS = new Set(['user', 'database', 'client_encoding', 'application_name']);

/**
 * Starts a pooler like PgBouncer: it refuses unknown parameters of a login. In transaction mode each transaction gets the connection that
 * became free last, whichever login opened it.
 */
export async function openPooler(target: SocketAddress, mode: 'session' | 'transaction'): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const free: Link[] = [];
  const server = createServer((client) => {
    client.once('data', (login) => {
      const parameters = login
        .subarray(8)
        .toString('latin1')
        .split('\0')
        .filter((_, index) => index % 2 === 0);
      const unknown = parameters.find((name) => name !== '' && !KNOWN_PARAMETERS.has(name));
      if (unknown !== undefined) return client.end(errorMessage(`unsupported startup parameter: ${unknown}`));
      const link = openLink(target, client);
      sockets.add(link.socket);
      link.socket.write(login);
      if (mode === 'session') client.on('close', () => link.socket.destroy()).pipe(link.socket);
      else shareLinks(client, link, free);
    });
  });
  return open(server, sockets);
}

/** A connection to PostgreSQL, and the client that gets its answers. */
type Link = { socket: Socket; client: Socket | null; onReady: (isOutsideTransaction: boolean) => void };

function openLink(target: SocketAddress, client: Socket): Link {
  const link: Link = { socket: dial(target), client, onReady: () => undefined };
  link.socket.on(
    'data',
    createFramer((message) => {
      link.client?.write(message);
      if (message[0] === 0x5a) link.onReady(message[5] === 0x49);
    }),
  );
  link.socket.on('close', () => link.client?.destroy());
  return link;
}

function shareLinks(client: Socket, own: Link, free: Link[]): void {
  let link: Link | null = own;
  let unanswered = 0;
  let isLoggedIn = false;
  const release = (isOutsideTransaction: boolean) => {
    isLoggedIn = true;
    unanswered = Math.max(0, unanswered - 1);
    if (link === null || unanswered > 0 || !isOutsideTransaction) return;
    link.client = null;
    free.push(link);
    link = null;
  };
  own.onReady = release;
  const onMessage = createFramer((message) => {
    link ??= free.pop() ?? null;
    if (link === null || message[0] === 0x58) return client.destroy();
    Object.assign(link, { client, onReady: release });
    if (message[0] === 0x53 || message[0] === 0x51) unanswered += 1;
    link.socket.write(message);
  });
  client.on('data', (piece) => (isLoggedIn ? onMessage(piece) : own.socket.write(piece)));
}

function errorMessage(text: string): Buffer {
  const content = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
