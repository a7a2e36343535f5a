/** How the OpenAPI document describes the texts that a rule accepts. */
type Documented = {
  /**
   * Matches the whole text, without anchors. Use only what ECMAScript with the flag `u`, Python and Rust read alike:
   * `[0-9]`, not `\d`.
   */
  pattern?: string;
  [keyword: string]: unknown;
};

/** The problems of a text; empty when there are none. */
export type TextRule = ((value: string) => string[]) & { documented?: Documented };

/** A rule that is a pattern of the whole text, documented as such. */
export function patternRule(pattern: string, message: string): TextRule {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return documentedRule({ pattern }, (value) => (whole.test(value) ? [] : [message]));
}

/**
 * A rule with its description in JSON Schema, which may accept more than the rule, never less: otherwise a client that
 * validates requests by the document would refuse valid ones.
 */
export function documentedRule(documented: Documented, rule: (value: string) => string[]): TextRule {
  return Object.assign((value: string) => rule(value), { documented });
}

/** A rule for one of these texts, in any case. */
export function oneOfRule(values: readonly string[]): TextRule {
  return patternRule(values.map(inAnyCase).join('|'), `must be one of ${values.join(', ')}`);
}

/** The pattern of a word in any case: patterns in JSON Schema have no flags. */
function inAnyCase(word: string): string {
  return word.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

const HEX = '[0-9A-Fa-f]';
/** The form of a UUID, of any version. */
export const UUID_SHAPE = `${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`;
/** A UUID of RFC 9562: of an existing version, all zeros or all ones. */
export const UUID =
  `${HEX}{8}-${HEX}{4}-[1-8]${HEX}{3}-[89ABab]${HEX}{3}-${HEX}{12}` +
  '|0{8}-0{4}-0{4}-0{4}-0{12}|[Ff]{8}-[Ff]{4}-[Ff]{4}-[Ff]{4}-[Ff]{12}';

const ATOM = "[A-Za-z0-9_!#$%&'*+/=?^`{|}~\\-]+";
const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
/** The form of a domain in an e-mail address. */
export const EMAIL_DOMAIN = `(?:${DOMAIN_LABEL}[.])+${DOMAIN_LABEL}`;
/** The form of an e-mail address. */
export const EMAIL = `${ATOM}(?:[.]${ATOM})*@${EMAIL_DOMAIN}`;
