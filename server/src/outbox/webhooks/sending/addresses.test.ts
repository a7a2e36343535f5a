import { randomUUID } from 'node:crypto';
import { type LookupFunction, Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectStatus, signUpAdmin } from '../../../../test/customers/actors.ts';
import { startNameServer } from '../../../../test/harness/network/name-server.ts';
import { startTestService, type TestService } from '../../../../test/harness/service.ts';
import { type Consumer, startConsumer } from '../../../../test/outbox/webhooks.ts';
import { OPERATOR_SCOPE } from '../../../platform/operator-scope.ts';
import { isPublicAddress } from '../../../platform/outbound/public-addresses.ts';
import { createSend } from './send.ts';

/** The first and the last address of each range, and well-known ones inside. */
const REFUSED = {
  unspecified: ['0.0.0.0', '0.255.255.255', '::'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::1', 'febf:ffff::1'],
  CGNAT: ['100.64.0.0', '100.127.255.255'],
  'unique local': ['fc00::', 'fdff:ffff::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'broadcast and reserved': ['240.0.0.0', '255.255.255.255'],
  'documentation and benchmarks': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '2001:db8::1',
    '3fff::1',
  ],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b:1::7f00:1'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  metadata: ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  'no address at all': ['', 'localhost', '1.2.3', '2130706433'],
};

// Security (Outgoing webhooks: addresses): Outgoing webhooks reach no internal address, in any spelling
describe('addresses that events are not sent to', () => {
  it.each(Object.entries(REFUSED))('%s', (_range, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('addresses next to these ranges are public', () => {
    const neighbours = [
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ];
    const more = [
      '169.253.255.255',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '223.255.255.255',
      '2606:4700::1111',
    ];
    const all = [...neighbours, ...more, '2a00:1450:4001::1', '2003::1'];
    expect(all.filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe('the URL of an endpoint', () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({ webhookAllowedHosts: ['hooks.internal:8080', '127.0.0.1:9'] });
    token = (await signUpAdmin(service)).token;
  });
  afterAll(() => service?.stop());

  const add = (url: string) => service.call('POST', '/payments/webhook-endpoints', { token, body: { url } });

  it.each([
    ['http', 'http://hooks.example.com/'],
    ['another scheme', 'ftp://hooks.example.com/'],
    ['no URL', 'hooks.example.com'],
    ['a user', 'https://user@hooks.example.com/'],
    ['a password', 'https://:secret@hooks.example.com/'],
    ['a fragment', 'https://hooks.example.com/#here'],
    ['another port', 'https://hooks.example.com:22/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, short', 'https://127.1/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, octal', 'https://0177.0.0.01/'],
    ['loopback, hexadecimal', 'https://0x7f.0x0.0x0.0x1/'],
    ['loopback, hexadecimal in one', 'https://0x7f000001/'],
    ['loopback, in wide digits', 'https://１２７.０.０.１/'],
    ['loopback, percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['loopback with a dot at its end', 'https://127.0.0.1./'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::127.0.0.1]/'],
    ['metadata', 'https://169.254.169.254/latest/meta-data'],
    ['metadata over IPv6', 'https://[fd00:ec2::254]/'],
    ['an allowed host on another port', 'http://hooks.internal:8081/'],
    ['a host that begins like an allowed one', 'http://hooks.internal.example.com:8080/'],
  ])('%s is refused with 400 on url', async (_kind, url) => {
    const { status, body } = await add(url);
    expect([status, body.error.details[0].field]).toEqual([400, 'url']);
  });

  it.each([
    ['http://127.0.0.1:4000/', 'must begin with https://, unless WEBHOOK_ALLOWED_HOSTS has 127.0.0.1:4000'],
    ['https://127.0.0.1/', 'must not be a private or reserved address, unless WEBHOOK_ALLOWED_HOSTS has 127.0.0.1'],
    [
      'https://hooks.example.com:22/',
      'must be on port 443 or 8443, unless WEBHOOK_ALLOWED_HOSTS has hooks.example.com:22',
    ],
    ['http://user@127.0.0.1:4000/', 'must not contain a user or a password'],
  ])('%s is refused with the setting that allows it, for the operator alone', async (url, message) => {
    const ofOperator = { token: service.operatorKey, body: { url } };
    const refused = expectStatus(await service.call('POST', '/operator/webhook-endpoints', ofOperator), 400);
    expect(refused.body.error.details).toEqual([{ field: 'url', message }]);
    expect(JSON.stringify(expectStatus(await add(url), 400).body)).not.toContain('WEBHOOK_ALLOWED_HOSTS');
  });

  it.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:8443/',
    'https://1.1.1.1/',
    'https://[2606:4700::1111]/',
  ])('%s is accepted', async (url) => {
    expectStatus(await add(url), 201);
  });

  it.each(['http://hooks.internal:8080/', 'https://HOOKS.internal:8080/', 'http://127.0.0.1:9/'])(
    '%s, which the operator allows by name, is accepted from the operator only, also over http and on its port',
    async (url) => {
      const ofOperator = { token: service.operatorKey, body: { url } };
      const { id } = expectStatus(await service.call('POST', '/operator/webhook-endpoints', ofOperator), 201).body;
      const path = `/operator/webhook-endpoints/${id}`;
      expectStatus(await service.call('PUT', path, ofOperator), 200);

      const own = expectStatus(await add('https://hooks.example.com/'), 201).body;
      const changed = await service.call('PUT', `/payments/webhook-endpoints/${own.id}`, { token, body: { url } });
      for (const answer of [await add(url), changed]) {
        expect([answer.status, answer.body.error?.details[0].field]).toEqual([400, 'url']);
      }
    },
  );
});

describe('a name is checked when the connection is made', () => {
  const companyId = randomUUID();
  let consumer: Consumer;
  beforeAll(async () => {
    consumer = await startConsumer();
  });
  afterAll(() => consumer?.stop());

  // Security (Outgoing webhooks: addresses): A name with any private address is refused
  it('names of private addresses are refused, even with a public one among them', async () => {
    const names = await startNameServer({
      'inside.example': [['127.0.0.1']],
      'mixed.example': [['1.1.1.1', '10.0.0.1']],
      'metadata.example': [['169.254.169.254']],
    });
    const send = createSend({ allowedHosts: [], resolver: names.resolver });
    for (const name of ['inside.example', 'mixed.example', 'metadata.example']) {
      expect(await send({ companyId, url: `https://${name}/` }, {}, '{}')).toMatchObject({
        status: null,
        failure: 'address_refused',
      });
    }
    expect(await send({ companyId, url: 'https://nowhere.example/' }, {}, '{}')).toMatchObject({
      failure: 'connection_failed',
    });
    names.stop();
  });

  // Security (Outgoing webhooks: addresses): The connection of a webhook uses the address that was checked: a name can't change in between
  it('a name that changes from a public to a private address is looked up once, which leaves no gap (DNS rebinding)', async () => {
    // 192.31.196.1 is public (AS112). The connection uses the address that was looked up, and fails.
    const names = await startNameServer({ 'rebound.example': [['192.31.196.1'], ['127.0.0.1']] });
    const connected: string[] = [];
    const connect = vi.spyOn(tls, 'connect').mockImplementation((...parameters: unknown[]) => {
      const [{ host, lookup }] = parameters as [{ host: string; lookup: LookupFunction }];
      const socket = new tls.TLSSocket(new Socket());
      lookup(host, { all: false }, (error, address) => {
        if (error === null) connected.push(String(address));
        socket.destroy(error ?? new Error('No connection is made here.'));
      });
      return socket;
    });
    const send = createSend({ allowedHosts: [], resolver: names.resolver });
    expect(await send({ companyId, url: 'https://rebound.example:8443/' }, {}, '{}')).toMatchObject({
      failure: 'connection_failed',
    });
    expect(connected).toEqual(['192.31.196.1']);
    expect(names.asked()).toBe(1);
    expect(await send({ companyId, url: 'https://rebound.example/' }, {}, '{}')).toMatchObject({
      failure: 'address_refused',
    });
    expect(names.asked()).toBe(2);
    expect(connected).toHaveLength(1);
    connect.mockRestore();
    names.stop();
  });

  it('literal addresses are checked without a query, whatever was accepted before', async () => {
    const names = await startNameServer({});
    const send = createSend({ allowedHosts: [consumer.host], resolver: names.resolver });
    const { port } = new URL(`http://${consumer.host}`);
    const forms = [
      `http://127.1:${Number(port) + 1}/`,
      'https://127.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://0x7f000001/',
    ];
    for (const url of forms)
      expect(await send({ companyId, url }, {}, '{}')).toMatchObject({ failure: 'address_refused' });
    expect(names.asked()).toBe(0);
    names.stop();
  });

  it('allowed hosts are reached by the operator’s endpoints, in every spelling', async () => {
    const send = createSend({ allowedHosts: [consumer.host] });
    const { port } = new URL(`http://${consumer.host}`);
    const sent = await send({ companyId: OPERATOR_SCOPE, url: `http://0x7f000001:${port}/a` }, {}, '{}');
    expect(sent).toMatchObject({ status: 200, failure: null });
    expect(consumer.received('/a')).toHaveLength(1);
  });

  // Security (Outgoing webhooks: addresses): Only the operator's endpoints reach the hosts that the operator allows
  it('allowed hosts are not reached by companies’ endpoints, even those saved earlier, nor over the operator’s connections', async () => {
    const send = createSend({ allowedHosts: [consumer.host] });
    await send({ companyId: OPERATOR_SCOPE, url: consumer.url('/operator') }, {}, '{}');
    for (const url of [consumer.url('/company'), consumer.url('/company').replace('http:', 'https:')]) {
      expect(await send({ companyId, url }, {}, '{}')).toMatchObject({ failure: 'address_refused', response: '' });
    }
    expect([consumer.received('/operator').length, consumer.received('/company').length]).toEqual([1, 0]);
  });
});
