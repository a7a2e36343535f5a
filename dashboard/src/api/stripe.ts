/** Stripe's script for the browser (https://docs.stripe.com/js), as far as the pages use it. */
export type Stripe = {
  elements: (options: { clientSecret: string; locale: string; appearance: object }) => StripeElements;
  confirmSetup: (options: {
    elements: StripeElements;
    redirect: 'if_required';
    confirmParams: { return_url: string; payment_method_data: object };
  }) => Promise<StripeAnswer>;
  retrievePaymentIntent: (clientSecret: string) => Promise<StripeAnswer & { paymentIntent?: PaymentIntent }>;
  /** Asks the holder to confirm a payment, in a frame or on a page of the bank, which leads back to the page of the invoice. */
  handleNextAction: (options: { clientSecret: string }) => Promise<StripeAnswer>;
  /** Charges the card anew, with the holder there, in the same way. */
  confirmCardPayment: (clientSecret: string, options: { payment_method: string }) => Promise<StripeAnswer>;
};

type PaymentIntent = { status: string; last_payment_error?: { payment_method?: { id: string } } | null };

export type StripeElements = {
  create: (
    type: 'payment',
    options: object,
  ) => {
    on: (event: 'ready', listener: () => void) => void;
    mount: (place: HTMLElement) => void;
    destroy: () => void;
  };
};

/** `message` is written for the holder, in the language of the elements. */
type StripeAnswer = { error?: { message?: string } };

type Global = {
  Stripe?: (publishableKey: string) => Stripe;
  trustedTypes?: { createPolicy: (name: string, rules: object) => unknown };
};

/**
 * Has the bank ask the holder about a payment. After a charge without the holder there is nothing to go on with: Stripe has refused it, and
 * names the card that has to be confirmed (https://docs.stripe.com/payments/save-and-reuse#charge-saved-payment-method).
 */
export async function askBank(stripe: Stripe, clientSecret: string): Promise<StripeAnswer> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  if (paymentIntent === undefined) return { error: error ?? {} };
  const card = paymentIntent.last_payment_error?.payment_method?.id;
  return paymentIntent.status === 'requires_payment_method' && card !== undefined
    ? stripe.confirmCardPayment(clientSecret, { payment_method: card })
    : stripe.handleNextAction({ clientSecret });
}

const SCRIPT = 'https://js.stripe.com/v3/';

let loading: Promise<Stripe> | undefined;

/** Loads Stripe's script once, from Stripe alone. @throws Error if it could not be loaded; the next call tries again */
export function loadStripe(publishableKey: string): Promise<Stripe> {
  loading ??= injectScript().then(() => {
    const { Stripe: create } = globalThis as Global;
    if (create === undefined) throw new Error('The script of the payment gateway could not be loaded.');
    return create(publishableKey);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

function injectScript(): Promise<void> {
  trustScripts();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('The script of the payment gateway could not be loaded.'));
    });
    script.src = SCRIPT;
    document.head.append(script);
  });
}

let isTrusted = false;

/** Lets pass the addresses of Stripe's scripts, which load further ones, and no other text (W3C, Trusted Types). */
function trustScripts(): void {
  if (isTrusted) return;
  isTrusted = true;
  const isOfStripe = ({ protocol, hostname }: URL) =>
    protocol === 'https:' && (hostname === 'js.stripe.com' || hostname.endsWith('.js.stripe.com'));
  (globalThis as Global).trustedTypes?.createPolicy('default', {
    createScriptURL: (url: string) => (isOfStripe(new URL(url, location.href)) ? url : null),
  });
}
