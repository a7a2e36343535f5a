import { GatewayError } from '../../gateways/gateway/gateway.ts';
import { selectCardHolder, upsertGatewayCustomer } from '../../gateways/gateways.queries.ts';
import { transaction } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { type CardDependencies, tokenizeCard } from '../cards/cards.service.ts';
import { toSaveError } from '../saved/saved.service.ts';

/** A card that pays one invoice and is not saved. `fingerprint` tells it from others for the limits against card testing. */
export type OneOffCard = { gateway: string; gatewayToken: string; fingerprint: Uint8Array };

type Dependencies = Omit<CardDependencies, 'detach' | 'release' | 'describe'>;

/**
 * Takes a card by its number. One that the gateway declines counts as when it is saved. `network` is the client's.
 * @throws ApiError 400, card_testing_suspected, payment_in_progress, service_unavailable
 */
export async function takeCardByNumber(
  dependencies: Dependencies,
  companyId: string,
  info: Parameters<typeof tokenizeCard>[2],
  network: string,
): Promise<OneOffCard> {
  const { gateway, kept } = await tokenizeCard(dependencies, companyId, info, network);
  return { gateway, gatewayToken: kept.gatewayToken, fingerprint: kept.fingerprint };
}

/** Takes a card that the script of the gateway has made in a browser. @throws ApiError 400 on paymentMethod, service_unavailable */
export async function takeCardOfScript(
  { db, gateways: { chosen }, keyring }: Dependencies,
  companyId: string,
  id: string,
): Promise<OneOffCard> {
  const unknown = () => invalidField('paymentMethod', 'is not the id of a card that was just typed');
  if (chosen.fields?.takeOnce === undefined) throw unknown();
  const holder = await selectCardHolder(db, companyId, chosen.name);
  const { token, customer, fingerprint } = await chosen.fields.takeOnce(id, holder).catch((error: unknown) => {
    throw error instanceof GatewayError && error.kind === 'rejected' ? unknown() : toSaveError(error, 'paymentMethod');
  });
  if (customer !== undefined) {
    await transaction(db, (tx) => upsertGatewayCustomer(tx, companyId, chosen.name, customer));
  }
  const { value } = keyring.fingerprint(`${chosen.name} ${fingerprint}`);
  return { gateway: chosen.name, gatewayToken: token, fingerprint: value };
}
