import type { Config } from '../../../platform/config/config.ts';
import { type ConfiguredProvider, PROVIDER_NAME } from '../../../platform/config/sign-in-settings.ts';
import { type Queryable, type Tx, violatedConstraint } from '../../../platform/database/database.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import type { Keyring } from '../../../platform/keys/keys.ts';
import { findIssuerProblem } from '../../../platform/outbound/issuers.ts';
import { SYSTEM_ROLES } from '../../../platform/permissions.ts';
import { findRole } from '../../roles/roles.service.ts';
import { roleOf, type StoredRole, toStored } from '../../roles/stored-role.ts';
import {
  countProviders,
  deleteProvider,
  lockProviders,
  type ProviderRow,
  selectProvider,
  selectProviders,
  selectProvidersWithoutDomains,
  selectUnknownCompanies,
  upsertProvider,
} from './providers.operator.queries.ts';
import { existsProvider } from './providers.queries.ts';
import type {
  SignInProvider,
  SignInProviderBody,
  SignInProviderList,
  SignInProviderQuery,
} from './providers.schema.ts';

/*
 * Providers are set up by the environment or over the API. A name of the environment hides the same one of the database.
 */

export type ProviderSettings = Pick<Config, 'signInProviders' | 'signInAllowedHosts'>;
export type ProviderDependencies = { settings: ProviderSettings; keyring: Keyring };

/** A provider as sign-ins use it. */
export type Provider = Omit<ConfiguredProvider, 'companyId' | 'clientSecret'> & {
  /** @throws Error when the key is lost that it is encrypted with */
  readSecret: () => string;
} /** The role is of new members. */ & ({ companyId: string; role: StoredRole } | { companyId: null; role: null });

const MAX_PROVIDERS = 10_000;
const VIEWER = toStored(SYSTEM_ROLES.Viewer);
const NO_ROLE: StoredRole = { systemRole: null, customRole: null };

/** A page of the providers: those of the database, newest first, and then those of the environment. */
export async function listProviders(
  db: Queryable,
  { signInProviders }: ProviderSettings,
  { page, perPage }: SignInProviderQuery,
): Promise<SignInProviderList> {
  const offset = (page - 1) * perPage;
  const { total, rows } = await selectProviders(db, { limit: perPage, offset });
  const first = Math.max(0, offset - total);
  const rest = signInProviders.slice(first, first + perPage - rows.length);
  return {
    total: total + signInProviders.length,
    page,
    perPage,
    data: [...rows.map(describe), ...rest.map(describeConfigured)],
  };
}

/** A provider of the database as it is shown; null when there is none with this name. */
export async function showProvider(db: Queryable, name: string): Promise<SignInProvider | null> {
  const row = await selectProvider(db, name);
  return row && describe(row);
}

function describe({ name, issuer, clientId, emailDomains, companyId, ...role }: ProviderRow): SignInProvider {
  return { name, issuer, clientId, emailDomains, companyId, roleId: companyId === null ? null : roleOf(role).id };
}

function describeConfigured({ clientSecret: _secret, ...provider }: ConfiguredProvider): SignInProvider {
  return { ...provider, roleId: provider.companyId === null ? null : SYSTEM_ROLES.Viewer.id };
}

/** Finds the provider of a sign-in. @throws ApiError not_found */
export async function requireProvider(
  db: Queryable,
  { settings, keyring }: ProviderDependencies,
  name: string,
): Promise<Provider> {
  const configured = settings.signInProviders.find((one) => one.name === name);
  if (configured !== undefined) {
    const { clientSecret, companyId, ...provider } = configured;
    return { ...provider, readSecret: () => clientSecret, ...ownerOf(companyId, VIEWER) };
  }
  const row = await selectProvider(db, name);
  if (row === null) throw notFound('provider');
  const { clientSecret, companyId, systemRole, customRole, ...provider } = row;
  const readSecret = () => keyring.unseal(clientSecret, sealingContextOf(name));
  return { ...provider, readSecret, ...ownerOf(companyId, { systemRole, customRole }) };
}

function ownerOf(companyId: string | null, role: StoredRole) {
  return companyId === null ? { companyId, role: null } : { companyId, role };
}

/** The names of the environment's providers whose company there is not. Nobody can sign in with them. */
export async function findProvidersWithoutCompany(
  db: Queryable,
  { signInProviders }: Pick<ProviderSettings, 'signInProviders'>,
): Promise<string[]> {
  const companyIds = signInProviders.flatMap(({ companyId }) => companyId ?? []);
  if (companyIds.length === 0) return [];
  const unknown = await selectUnknownCompanies(db, companyIds);
  return signInProviders.filter(({ companyId }) => unknown.includes(companyId ?? '')).map(({ name }) => name);
}

/** The names of companies' providers without domains, set up before those had to be given. They sign nobody new in. */
export async function findProvidersWithoutDomains(
  db: Queryable,
  { signInProviders }: Pick<ProviderSettings, 'signInProviders'>,
): Promise<string[]> {
  const isOpen = ({ companyId, emailDomains }: ConfiguredProvider) => companyId !== null && emailDomains.length === 0;
  const stored = await selectProvidersWithoutDomains(db);
  const configured = signInProviders.map(({ name }) => name);
  return [
    ...stored.filter((name) => !configured.includes(name)),
    ...signInProviders.filter(isOpen).map(({ name }) => name),
  ];
}

/** Whether members of a company can sign in with a provider of its own. */
export async function hasProvider(
  db: Queryable,
  companyId: string,
  { signInProviders }: ProviderSettings,
): Promise<boolean> {
  return signInProviders.some((one) => one.companyId === companyId) || existsProvider(db, companyId);
}

/**
 * Writes the given fields of a provider, which is new if there is none with this name.
 * @throws ApiError 400, provider_of_environment, limit_reached
 */
export async function changeProvider(
  tx: Tx,
  { settings, keyring }: ProviderDependencies,
  name: string,
  body: SignInProviderBody,
): Promise<SignInProvider> {
  refuseConfigured(settings, name);
  if (!PROVIDER_NAME.test(name)) {
    throw invalidField('name', 'must be 1 to 63 letters, digits, - or _, and begin with a letter or a digit');
  }
  await lockProviders(tx);
  const before = await selectProvider(tx, name);
  if (before === null && (await countProviders(tx)) >= MAX_PROVIDERS) {
    throw new ApiError('limit_reached', `There can be at most ${MAX_PROVIDERS} providers.`);
  }
  const issuer = body.issuer ?? before?.issuer ?? isMissing('issuer');
  const problem = findIssuerProblem(issuer, settings.signInAllowedHosts);
  if (problem !== null) throw invalidField('issuer', problem);
  const clientId = body.clientId ?? before?.clientId ?? isMissing('clientId');
  const clientSecret =
    body.clientSecret === undefined
      ? keepSecret(before, issuer)
      : keyring.seal(body.clientSecret, sealingContextOf(name));
  const emailDomains = body.emailDomains ?? before?.emailDomains ?? [];
  const companyId = body.companyId === undefined ? (before?.companyId ?? null) : body.companyId;
  if (companyId !== null && emailDomains.length === 0) {
    throw invalidField('emailDomains', 'must name the domains of the company');
  }
  const role = await chooseRole(tx, body, before, companyId);
  const provider = { name, issuer, clientId, clientSecret, emailDomains, companyId, ...role };
  await upsertProvider(tx, provider).catch(refuseUnknown);
  return describe(provider);
}

/** A secret is for one issuer: another one never gets it. @throws ApiError 400 */
function keepSecret(before: ProviderRow | null, issuer: string): Uint8Array {
  return before !== null && before.issuer === issuer ? before.clientSecret : isMissing('clientSecret');
}

function isMissing(field: string): never {
  throw invalidField(field, 'is required');
}

/** @throws ApiError 400 */
async function chooseRole(
  tx: Tx,
  { roleId = null }: SignInProviderBody,
  before: ProviderRow | null,
  companyId: string | null,
): Promise<StoredRole> {
  if (companyId === null) {
    if (roleId !== null) throw invalidField('roleId', 'needs companyId');
    return NO_ROLE;
  }
  if (roleId !== null) {
    const role = await findRole(tx, companyId, roleId);
    return role === null || role.id === SYSTEM_ROLES.Customer.id ? refuseRole() : toStored(role);
  }
  if (before === null || before.companyId !== companyId) return VIEWER;
  const { systemRole, customRole } = before;
  return { systemRole, customRole };
}

function refuseRole(): never {
  throw invalidField('roleId', 'must be the id of a role that members of the company can have');
}

function refuseUnknown(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'sign_in_providers_company_id_fkey')
    throw invalidField('companyId', 'must be the id of a company');
  if (constraint === 'sign_in_providers_role_in_use') refuseRole();
  throw error;
}

/** Deletes a provider. Accounts that it has signed in stay. @throws ApiError not_found, provider_of_environment */
export async function removeProvider(tx: Tx, { settings }: ProviderDependencies, name: string): Promise<void> {
  refuseConfigured(settings, name);
  if (!(await deleteProvider(tx, name))) throw notFound('provider');
}

function refuseConfigured({ signInProviders }: ProviderSettings, name: string): void {
  if (!signInProviders.some((one) => one.name === name)) return;
  throw new ApiError(
    'provider_of_environment',
    'The environment defines this provider. Change SIGN_IN_PROVIDERS instead.',
  );
}

function sealingContextOf(name: string): string {
  return `sign-in provider ${name}`;
}
