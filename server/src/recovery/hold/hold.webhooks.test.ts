import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveAddress, signUpAdmin } from '../../../test/customers/actors.ts';
import { startTestService, type TestService } from '../../../test/harness/service.ts';
import {
  addEndpoint,
  type Consumer,
  deliver,
  deliveriesOf,
  startConsumer,
  verify,
} from '../../../test/outbox/webhooks.ts';
import { holdCharges, releaseCharges } from '../../../test/recovery/hold.ts';

let service: TestService;
let consumer: Consumer;
beforeAll(async () => {
  consumer = await startConsumer();
  service = await startTestService({ webhookAllowedHosts: [consumer.host] });
});
afterAll(async () => {
  await service?.stop();
  await consumer?.stop();
});

it('during a hold only charges.held and its alert are sent, to the operator; all other events are sent after it', async () => {
  const operator = await addEndpoint(service, null, { url: consumer.url('/operator'), types: [] });
  const admin = await signUpAdmin(service);
  const company = await addEndpoint(service, admin, { url: consumer.url('/company'), types: ['address.*'] });
  await deliver(service);
  const received = (path: string, secret: string) => consumer.received(path).map((one) => verify(secret, one));
  const typesOf = () => received('/operator', operator.secret).map(({ type }) => type);
  const before = typesOf().length;

  await holdCharges(service);
  await saveAddress(service, admin);
  // A process that has not read the hold yet sends nothing at all.
  await deliver(service);
  expect(typesOf().slice(before)).toEqual([]);
  await service.chargesHold.refresh();
  await deliver(service);
  expect(typesOf().slice(before).toSorted()).toEqual(['alert.created', 'charges.held']);
  expect(consumer.received('/company')).toEqual([]);
  expect(await deliveriesOf(service, admin, company.id)).toMatchObject([{ state: 'pending', attempts: [] }]);

  await releaseCharges(service);
  await deliver(service);
  expect(
    typesOf()
      .slice(before + 2)
      .toSorted(),
  ).toEqual(['address.created', 'charges.released']);
  expect(received('/company', company.secret)).toMatchObject([{ type: 'address.created' }]);
  const [delivery] = await deliveriesOf(service, admin, company.id);
  expect(delivery).toMatchObject({ state: 'delivered' });
  expect(delivery.attempts).toHaveLength(1);
});
