/** How a card is saved in the pages: in the fields of this gateway, by its number, or not at all. */
export type CardEntry = 'sandbox' | 'stripe' | 'numbers' | 'none';

/** What Stripe's script needs (https://docs.stripe.com/security/guide#content-security-policy). */
export const OF_STRIPE = {
  'script-src': 'https://js.stripe.com https://*.js.stripe.com',
  'frame-src': 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  'connect-src': 'https://api.stripe.com',
};

/**
 * The pages load scripts and styles of this service alone and send requests to it alone. Nothing that a user wrote becomes markup: no
 * Trusted Types policy can be created (W3C, Trusted Types). `blob:` is for the PDFs that the pages fetch with the access token and show,
 * and the only frame of this service is that of mails. Where cards are saved in Stripe's fields, its script is allowed too, by a policy
 * that passes no text but the addresses of its scripts.
 */
export function contentSecurityPolicy(cards: CardEntry): string {
  const isStripe = cards === 'stripe';
  const sources = (directive: keyof typeof OF_STRIPE, own: string) =>
    `${directive} ${own}${isStripe ? ` ${OF_STRIPE[directive]}` : ''}`;
  return [
    "default-src 'none'",
    sources('script-src', "'self'"),
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    sources('connect-src', "'self'"),
    sources('frame-src', "'self' blob:"),
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${isStripe ? 'default' : "'none'"}`,
  ].join('; ');
}
