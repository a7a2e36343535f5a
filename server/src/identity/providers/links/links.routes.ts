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
    description: 'Each opens your account with an account at a provider of single sign-on. Newest first.',
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
    summary: 'Consent to a link to a provider',
    description:
      'Answers where the browser goes to. Once you have signed in at the provider, with an account of your e-mail, it opens your account ' +
      'here; you are logged in by it. A company’s provider makes a customer a member. `&return_to=` may be added to the address.',
    access: 'user',
    body: LinkBody,
    response: { 200: LinkAnswer },
    errors: [...CONFIRMATION_ERRORS, 'forbidden', 'not_found'],
    audit: { unrecorded: 'nothing changes until the provider has signed the user in' },
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
    summary: 'End a link to a provider',
    description: 'The provider no longer opens your account. Sessions that it has begun go on.',
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
