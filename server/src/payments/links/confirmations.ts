import type { Confirmations } from '../../gateways/gateways.ts';
import type { Config } from '../../platform/config/config.ts';
import { invoiceLinkUrl, type LinkSettings, urlWithoutLink } from './links.service.ts';

/** How long payments wait for their confirmation, and where: on the page of the invoice, or where pages are while its link is revoked. */
export function confirmationsOf({
  config,
  keyring,
}: LinkSettings & { config: Pick<Config, 'confirmationWindowSeconds'> }): Confirmations {
  return {
    windowSeconds: config.confirmationWindowSeconds,
    pageOf: async (db, companyId, invoiceId) =>
      (await invoiceLinkUrl(db, { config, keyring }, companyId, invoiceId)) ?? urlWithoutLink({ config }),
  };
}
