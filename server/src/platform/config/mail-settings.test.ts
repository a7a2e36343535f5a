import { describe, expect, it } from 'vitest';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { readConfig } from './config.ts';

/** The message with which the environment is refused; empty when it is not. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(GATEWAYS, environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const SENDING = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'billing@example.com' };

describe('the settings of mails', () => {
  it.each([
    ['billing@example.com', '', 'billing@example.com'],
    ['Northwind <billing@example.com>', 'Northwind', 'billing@example.com'],
    ['"Northwind, Ltd" <b+c@mail.example.com>', 'Northwind, Ltd', 'b+c@mail.example.com'],
  ])('MAIL_FROM may be %s', (text, name, address) => {
    expect(readConfig(GATEWAYS, { ...SENDING, MAIL_FROM: text }).mailFrom).toEqual({ name, address });
  });

  it.each(['Northwind', '<>', 'a@b c', 'a@b, c@d', 'A <a@b> c', 'a\r\n@b'])('MAIL_FROM may not be %j', (text) => {
    expect(refusalOf({ ...SENDING, MAIL_FROM: text })).toContain('MAIL_FROM must be');
  });

  it('SMTP_URL needs MAIL_FROM', () => {
    expect(refusalOf({ SMTP_URL: 'smtp://mail.example.com' })).toContain('SMTP_URL needs MAIL_FROM');
  });

  it.each([
    'mail.example.com:25',
    'https://mail.example.com',
    'smtp:relay',
    'smtp://mail.example.com/inbox',
    'smtp://mail.example.com?debug=true',
    'smtp://mail.example.com?requireTLS=maybe',
    'smtp://ada:s%ecret@mail.example.com',
  ])('%s is no mail server, and the message does not repeat it', (url) => {
    const refusal = refusalOf({ ...SENDING, SMTP_URL: url });
    expect(refusal).toContain('SMTP_URL must be');
    expect(refusal).not.toContain(url);
  });

  it('accepts mail servers with and without a login, with and without TLS', () => {
    for (const url of [
      'smtp://[::1]:1025',
      'smtps://ada:p%40ss@mail.example.com:465',
      'smtp://relay?requireTLS=false',
    ]) {
      expect(refusalOf({ ...SENDING, SMTP_URL: url })).toBe('');
    }
  });
});
