/** Who mails are from. */
export type MailSender = {
  /** Empty: the seller's name. */
  name: string;
  address: string;
};

/** The part of the configuration that says how mails are sent. */
export type MailSettings = {
  /** The mail server with its credentials. Unset: mails are kept for the operator. */
  smtpUrl: string | undefined;
  /** Set with `smtpUrl`. */
  mailFrom: MailSender | undefined;
};

type ReadText = (name: string) => string | undefined;

/** Reads it, and adds what is wrong with it to `problems`; never the content of `SMTP_URL`, which has a password. */
export function readMailSettings(
  { text, secret }: { text: ReadText; secret: ReadText },
  problems: string[],
): MailSettings {
  const [smtpUrl, mailFrom] = [secret('SMTP_URL'), text('MAIL_FROM')];
  const sender = mailFrom === undefined ? undefined : readSender(mailFrom);
  if (smtpUrl !== undefined && !isSmtpUrl(smtpUrl)) {
    problems.push(
      'SMTP_URL must be a URL such as smtps://user:password@mail.example.com or smtp://mail.example.com:587',
    );
  }
  if (smtpUrl !== undefined && mailFrom === undefined) problems.push('SMTP_URL needs MAIL_FROM');
  if (sender === null) {
    problems.push('MAIL_FROM must be an e-mail address, or a name with one: Northwind <billing@example.com>');
  }
  return { smtpUrl, mailFrom: sender ?? undefined };
}

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;

/** Null when the text is no address, with or without a name. */
function readSender(text: string): MailSender | null {
  const [, name = '', inBrackets] = /^"?([^"<>]*?)"?\s*<([^<>]*)>$/.exec(text) ?? [];
  const address = inBrackets ?? text;
  return ADDRESS.test(address) ? { name: name.trim(), address } : null;
}

/** `requireTLS` is the only parameter: others would turn on what logs mails, or turn off what protects them. */
function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.hash !== '') return false;
  const parameters = [...url.searchParams];
  return (
    /^\/?$/.test(url.pathname) &&
    isDecodable(url.username + url.password) &&
    parameters.every(([name, value]) => name === 'requireTLS' && /^(true|false)$/.test(value))
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
