type ReadText = (name: string) => string | undefined;

/** How a gateway reads its part of the configuration. `secret` also reads the file that `<name>_FILE` names. */
export type GatewaySettingsReader = {
  text: ReadText;
  secret: ReadText;
  /** Whether `GATEWAY` names this gateway. */
  isChosen: boolean;
};

/** What the configuration has to know of a gateway. The list is handed in, because this domain knows no gateway. */
export type DeclaredGateway<Settings extends object = object> = {
  /** Also the name of its folder, and the one that is stored with its cards and payments. */
  name: string;
  /** The payment methods whose cards and accounts it charges. `GATEWAY` chooses one that charges cards. */
  methods: readonly ('Card' | 'paypal')[];
  /** How late it lists a request at most. */
  lagSeconds: number;
  /** What it keeps in the data directory. */
  dataFile?: string;
  /** Reads its settings, and adds what is wrong with them to `problems`. Null: this installation does not use the gateway. */
  readSettings(reader: GatewaySettingsReader, problems: string[]): Settings | null;
};

/** The part of the configuration that says which gateways there are. */
export type GatewaySettings = {
  /** The gateway that takes new cards. */
  gateway: string;
  /**
   * The settings of each gateway that is used, by its name: its cards and payments can be charged, refunded and reconciled, whichever
   * gateway takes new ones.
   */
  gateways: Readonly<Record<string, object>>;
  /** What gateways keep in the data directory, whether they are used or not. */
  gatewayFiles: readonly string[];
  /** How long a hold lasts at least: by then the gateways list every request that was made before it. */
  gatewayLagSeconds: number;
};

type Read = {
  text: ReadText;
  secret: ReadText;
  integer: (name: string, fallback: number, min: number, max: number) => number;
  production: boolean;
};

/** The lag of an installation whose gateways list requests at once. */
const LEAST_LAG_SECONDS = 60;

/** Reads it, and adds what is wrong with it to `problems`. The first gateway for cards is the default. */
export function readGatewaySettings(
  declared: readonly DeclaredGateway[],
  { text, secret, integer, production }: Read,
  problems: string[],
): GatewaySettings {
  const choices = declared.filter(({ methods }) => methods.includes('Card')).map(({ name }) => name);
  const gateway = text('GATEWAY') ?? choices[0] ?? '';
  if (!choices.includes(gateway)) problems.push(`GATEWAY must be one of ${choices.join(', ')}`);
  const gateways: Record<string, object> = {};
  let lagSeconds = LEAST_LAG_SECONDS;
  for (const one of declared) {
    const settings = one.readSettings({ text, secret, isChosen: one.name === gateway }, problems);
    if (settings === null) continue;
    gateways[one.name] = settings;
    lagSeconds = Math.max(lagSeconds, one.lagSeconds);
  }
  return {
    gateway,
    gateways,
    gatewayFiles: declared.flatMap(({ dataFile }) => dataFile ?? []),
    // Production refuses less than the default: a hold would end before all is known.
    gatewayLagSeconds: integer('GATEWAY_LAG_SECONDS', lagSeconds, production ? lagSeconds : 1, 86_400),
  };
}
