import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { SignInProvider, SignInProviderBody, SignInProviderList, SignInProviderQuery } from './providers.schema.ts';
import {
  changeProvider,
  listProviders,
  type ProviderDependencies,
  removeProvider,
  showProvider,
} from './providers.service.ts';

const tag = 'Operator';
const resource = 'provider';
const AUDITED = ['issuer', 'clientId', 'emailDomains', 'companyId', 'roleId'];

/** The operator's list of the providers of single sign-on. */
export function registerProviderRoutes(app: FastifyInstance, dependencies: ProviderDependencies): void {
  route(app, {
    method: 'GET',
    url: '/operator/sign-in-providers',
    operationId: 'listSignInProviders',
    tag,
    summary: 'List the providers of single sign-on',
    description: 'The newest provider comes first, and the providers of the environment come last.',
    access: 'operator',
    query: SignInProviderQuery,
    response: { 200: SignInProviderList },
    errors: [],
    handler: ({ query }, db) => listProviders(db, dependencies.settings, query),
  });
  route(app, {
    method: 'PUT',
    url: '/operator/sign-in-providers/:name',
    operationId: 'updateSignInProvider',
    tag,
    summary: 'Set up a provider of single sign-on',
    description:
      'Creates the provider if none has this name. A new provider needs `issuer`, `clientId` and `clientSecret`, and a ' +
      'provider of a company also needs `emailDomains`. Fields that are absent keep their values, but a new `issuer` needs ' +
      '`clientSecret` again. At the provider, register the redirect URI `PUBLIC_URL/auth/oidc/{name}/callback`.',
    access: 'operator',
    resource,
    body: SignInProviderBody,
    response: { 200: SignInProvider },
    errors: ['provider_of_environment', 'limit_reached'],
    audit: {
      audience: 'company',
      action: 'sign_in_provider.updated',
      actionOfNew: 'sign_in_provider.created',
      before: ({ ids }, tx) => showProvider(tx, ids.name),
      fields: AUDITED,
    },
    transaction: ({ ids, body }, tx) => changeProvider(tx, dependencies, ids.name, body),
  });
  route(app, {
    method: 'DELETE',
    url: '/operator/sign-in-providers/:name',
    operationId: 'deleteSignInProvider',
    tag,
    summary: 'Delete a provider of single sign-on',
    description:
      'Accounts that have signed in with the provider are kept. If a company requires this provider, its members can no ' +
      'longer sign in.',
    access: 'operator',
    resource,
    response: { 204: null },
    errors: ['provider_of_environment'],
    audit: {
      audience: 'company',
      action: 'sign_in_provider.deleted',
      before: ({ ids }, tx) => showProvider(tx, ids.name),
      fields: AUDITED,
    },
    transaction: async ({ ids }, tx) => {
      await removeProvider(tx, dependencies, ids.name);
      return null;
    },
  });
}
