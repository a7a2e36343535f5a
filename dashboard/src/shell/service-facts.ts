/** What the service says about itself in the page. */
export type ServiceFacts = {
  /** No real money moves. */
  isSandbox: boolean;
  /** The gateways that take new cards and PayPal accounts. */
  gateways: readonly string[];
};

/** Reads `<meta name="paydesk-gateways">`, which the service fills in when it sends the page. */
export function serviceFacts(): ServiceFacts {
  const content = document.querySelector<HTMLMetaElement>('meta[name=paydesk-gateways]')?.content ?? '';
  const [kind, ...gateways] = content.split(' ');
  return { isSandbox: kind === 'sandbox', gateways };
}
