/** Decides by the setup token whether charges of its account succeed. */

/** Test tokens whose accounts are declined, also with a number at the end: `sandbox-setup-declined-2`. Any other account is charged. */
const declineCodes: ReadonlyMap<string, string> = new Map([
  ['sandbox-setup-declined', 'instrument_declined'],
  ['sandbox-setup-closed', 'payer_account_locked_or_closed'],
]);

/** Returns the decline code for charges of the account, or null if they succeed. */
export function declineCodeOfSetupToken(setupToken: string): string | null {
  return declineCodes.get(setupToken.replace(/-\d+$/, '')) ?? null;
}
