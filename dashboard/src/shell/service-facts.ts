/** What the service says about itself in the page. */
export type ServiceFacts = {
  /** No real money moves. */
  isSandbox: boolean;
  /** The gateways that take new cards and PayPal accounts. */
  gateways: readonly string[];
  /** How a card is saved: in the fields of this gateway, by its number, or not at all. */
  cards: 'sandbox' | 'stripe' | 'numbers' | 'none';
};

/** Reads the `<meta>` elements that the service fills in when it sends the page. */
export function serviceFacts(): ServiceFacts {
  const [kind, ...gateways] = contentOf('paydesk-gateways').split(' ');
  const cards = contentOf('paydesk-cards') as ServiceFacts['cards'];
  return { isSandbox: kind === 'sandbox', gateways, cards };
}

function contentOf(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}
