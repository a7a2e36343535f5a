/** A mail server on loopback that takes every mail, unless told otherwise. */
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { freePort, keepPort } from '../harness/network/kept-port.ts';

export type ReceivedMail = {
  parsed: ParsedMail;
  /** As it was sent. */
  raw: string;
  recipients: string[];
  isEncrypted: boolean;
  user: string | null;
};

/** How the server answers: a reply to a command, or silence; `lose` takes the mail and closes the connection instead of answering. */
export type Behaviour =
  | 'accept'
  | 'lose'
  | 'hang'
  | { command: 'MAIL FROM' | 'RCPT TO' | 'DATA'; code: number; message: string };

export type MailServer = {
  /** For `SMTP_URL`. */
  url: string;
  received: () => ReceivedMail[];
  /** How often somebody has tried to hand over a mail to this address. */
  attempts: (address: string) => number;
  /** Sets how mails to this address are answered from now on; without one, all mails. */
  behave: (behaviour: Behaviour, address?: string) => void;
  /** Stops and starts again on the same port. */
  takeAway: () => Promise<void>;
  bringBack: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts a mail server on a free port. By default it offers neither TLS nor a login. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const tried: string[] = [];
  const behaviours = new Map<string | null, Behaviour>();
  const behaviourTo = (address: string) => behaviours.get(address) ?? behaviours.get(null) ?? 'accept';
  const refusalOf = (address: string, command: string) => {
    const behaviour = behaviourTo(address);
    if (typeof behaviour === 'string' || behaviour.command !== command) return null;
    return Object.assign(new Error(behaviour.message), { responseCode: behaviour.code });
  };
  const take = async (stream: AsyncIterable<Buffer>, { envelope, secure, user }: SMTPServerSession) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const recipients = envelope.rcptTo.map(({ address }) => address);
    const raw = Buffer.concat(chunks).toString();
    return { parsed: await simpleParser(raw), raw, recipients, isEncrypted: secure, user: user ?? null };
  };
  let server: SMTPServer;
  const listen = (port: number) => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 1,
      onMailFrom: (_address, _session, done) => done(refusalOf('', 'MAIL FROM')),
      onRcptTo: ({ address }, _session, done) => {
        tried.push(address);
        done(refusalOf(address, 'RCPT TO'));
      },
      onData: (stream, session, done) => {
        take(stream, session).then((mail) => {
          const [recipient = ''] = mail.recipients;
          const refusal = refusalOf(recipient, 'DATA');
          if (refusal !== null) return done(refusal);
          if (behaviourTo(recipient) === 'hang') return;
          received.push(mail);
          if (behaviourTo(recipient) === 'lose') for (const { _socket } of server.connections) _socket.destroy();
          else done();
        }, done);
      },
      ...options,
    });
    // Clients that go away are part of the tests.
    server.on('error', () => undefined);
    return new Promise<number>((resolve) => {
      const listening = server.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
    });
  };
  const close = () => {
    for (const { _socket } of server.connections) _socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const port = await listen(0);
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: () => received,
    attempts: (address) => tried.filter((one) => one === address).length,
    behave: (behaviour, address) => void behaviours.set(address ?? null, behaviour),
    takeAway: async () => {
      await close();
      await keepPort(port);
    },
    bringBack: async () => {
      await listen(port);
      freePort(port);
    },
    stop: close,
  };
}
