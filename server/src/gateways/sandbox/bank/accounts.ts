/** What the sandbox knows of a setup token: what will come of charging the account that it is swapped for. */

/** Test tokens whose accounts are declined when charged, with these endings too: `sandbox-setup-declined-2`. Any other succeeds. */
const declineCodes: ReadonlyMap<string, string> = new Map([
  ['sandbox-setup-declined', 'instrument_declined'],
  ['sandbox-setup-closed', 'payer_account_locked_or_closed'],
]);

/** The reason for which a charge of the account will be declined, or null when it will be paid. */
export function declineCodeOfSetupToken(setupToken: string): string | null {
  return declineCodes.get(setupToken.replace(/-\d+$/, '')) ?? null;
}
