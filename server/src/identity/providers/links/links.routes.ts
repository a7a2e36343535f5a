import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route/route.ts';
import { CONFIRMATION_ERRORS } from '../../checks/confirmation.ts';
import { keepConsent } from './consent.ts';
import { findLinks } from './links.public.queries.ts';
import { DeleteLinkBody, LinkAnswer, LinkBody, LinkList } from './links.schema.ts';
import { consentToLink, endLink, type LinkDependencies } from './links.service.ts';

const tag = 'Accounts';

/** The links of a user to providers of single sign-on. */
export function registerLinkRoutes(app: FastifyInstance, dependencies: LinkDependencies): void {
  route(app, {
    method: 'GET',
    url: '/auth/links',
    operationId: 'listSignInLinks',
    tag,
    summary: 'List your links to providers',
    description: 'With a link, an account at a provider of single sign-on logs in to your account. Newest first.',
    access: 'user',
    response: { 200: LinkList },
    errors: [],
    handler: async ({ user }) => ({ error: null, data: await findLinks(dependencies.db, user.userId) }),
  });
  route(app, {
    method: 'POST',
    url: '/auth/links',
    operationId: 'createSignInLink',
    tag,
    summary: 'Consent to linking the account to a sign-in provider',
    description:
      'Answers an address of this service. Open it in the browser and sign in at the provider with an account that has your ' +
      'e-mail address. From then on, that account logs in to your account here. The sign-in also logs you in. The provider ' +
      'of a company makes a customer a member of the company. You can add `&return_to=` to the address.',
    access: 'user',
    body: LinkBody,
    response: { 200: LinkAnswer },
    errors: [...CONFIRMATION_ERRORS, 'forbidden', 'not_found'],
    audit: { unrecorded: 'Nothing changes until the provider has signed the user in.' },
    handler: async (context) => {
      const { consent, url } = await consentToLink(dependencies, context, context.body);
      context.reply.header('cache-control', 'no-store');
      keepConsent(context.reply, dependencies.keyring, consent, context.body.provider);
      return { error: null, data: { url } };
    },
  });
  route(app, {
    method: 'DELETE',
    url: '/auth/links/:link_id',
    operationId: 'deleteSignInLink',
    tag,
    summary: 'Delete a link to a provider',
    description: 'The provider can no longer log in to your account. Sessions that began with the provider continue.',
    access: 'user',
    resource: 'link',
    body: DeleteLinkBody,
    response: { 204: null },
    errors: [...CONFIRMATION_ERRORS, 'last_link'],
    audit: { recordedBy: 'service' },
    handler: async (context) => {
      await endLink(dependencies, context, { id: context.ids.link_id, password: context.body.password });
      return null;
    },
  });
}
