import type { SMTPTransportOptions, Transporter } from 'nodemailer';
import type { MailSender } from '../../platform/config/mail-settings.ts';
import type { DrawnFile } from '../money/render.ts';
import type { RenderedMail } from '../templates/render.ts';

/** A mail on its way. */
export type OutgoingMail = RenderedMail & {
  id: string;
  to: string[];
  createdAt: Date;
  /** Shown beside the sender's address, where `MAIL_FROM` has no name of its own. */
  sellerName: string;
  files: readonly DrawnFile[];
};

/** What an attempt ended with, without any word of the server's, which may repeat addresses or the text. */
export type SendFailure = {
  /** Nodemailer's, such as `ECONNECTION` or `EENVELOPE`. */
  code: string;
  /** The server's reply code, such as 550; undefined without one. */
  responseCode: number | undefined;
  /** The SMTP command that failed. */
  command: string | undefined;
};

/**
 * `refused`: the server will never take this mail. `deferred`: not now. `unreachable`: it takes no mail from us now,
 * because there is no connection, TLS or login; or nobody knows whether it has taken this one.
 */
export type SendOutcome = { kind: 'sent' } | { kind: 'refused' | 'deferred' | 'unreachable'; failure: SendFailure };

/** Makes one attempt to hand a mail over. It never rejects. */
export type SendMail = (mail: OutgoingMail, stopping: AbortSignal) => Promise<SendOutcome>;

const TIMEOUTS = { connectionTimeout: 10_000, dnsTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 60_000 };
/** For all of it, so that a server that answers byte by byte does not hold a connection for ever. */
const TOTAL_TIMEOUT_MS = 120_000;

/** Sends over SMTP (RFC 5321), each mail on a connection of its own. The package is imported at the first mail. */
export function createSendMail({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: MailSender }): SendMail {
  let opening: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ ...connectionOf(smtpUrl), ...TIMEOUTS });
  };
  return async ({ id, to, createdAt, sellerName, files, ...content }, stopping) => {
    opening ??= open();
    const transport = await opening;
    try {
      await transport.sendMail({
        ...content,
        ...{ to, from: { name: mailFrom.name || sellerName, address: mailFrom.address } },
        // The same in every attempt, so that a mail server or client can drop a copy.
        messageId: `<${id}@${mailFrom.address.slice(mailFrom.address.lastIndexOf('@') + 1)}>`,
        date: createdAt,
        attachments: files.map(({ name, contentType, content: bytes }) => {
          return { filename: name, contentType, content: Buffer.from(bytes) };
        }),
        // So that absence notices do not answer (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...{ disableFileAccess: true, disableUrlAccess: true },
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TOTAL_TIMEOUT_MS)]),
      });
      return { kind: 'sent' };
    } catch (error) {
      return describeFailure(error);
    }
  };
}

/**
 * On this machine TLS is used if the server offers it, with any certificate. Everywhere else it is required and the
 * certificate is checked, unless the URL says `requireTLS=false`: mails have links that open accounts.
 */
function connectionOf(smtpUrl: string): SMTPTransportOptions {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = /^(127(\.\d+){3}|::1|localhost)$/.test(host);
  const demanded = searchParams.get('requireTLS');
  const requireTLS = demanded === null ? !isLoopback : demanded === 'true';
  return {
    host,
    ...(port === '' ? {} : { port: Number(port) }),
    secure: protocol === 'smtps:',
    requireTLS,
    opportunisticTLS: !requireTLS,
    ...(isLoopback ? { tls: { rejectUnauthorized: false } } : {}),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** Replies to the sender, the recipient or the text, rather than to the connection. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function describeFailure(error: unknown): SendOutcome {
  const { code = 'UNKNOWN', responseCode, command } = error as Partial<SendFailure>;
  const failure = { code, responseCode, command };
  if (!ABOUT_THE_MAIL.has(code)) return { kind: 'unreachable', failure };
  // Without a reply, the mail is one that SMTP can't carry: an address, or a size that the server does not take. A 503
  // is about the order of commands (RFC 5321, 4.2.4), and a 421 closes the connection.
  const isFinal = responseCode === undefined || (responseCode >= 500 && responseCode !== 503);
  return { kind: isFinal ? 'refused' : 'deferred', failure };
}
