/** What the document of the API says of the texts that a rule lets through, in JSON Schema. */
type Documented = {
  /** Of the whole text, without anchors: what ECMAScript with the flag `u`, Python and Rust read alike, so `[0-9]` and not `\d`. */
  pattern?: string;
  [keyword: string]: unknown;
};

/** Says what is wrong with a text; an empty list when nothing is. */
export type TextRule = ((value: string) => string[]) & { documented?: Documented };

/** A rule that is a pattern of the whole text, and is documented as that. */
export function patternRule(pattern: string, message: string): TextRule {
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return documentedRule({ pattern }, (value) => (whole.test(value) ? [] : [message]));
}

/**
 * A rule with what JSON Schema can say of it. That may let through more than the rule does, never less: a client that checks its
 * requests against the document would withhold what the service takes.
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
/** What looks like a UUID, of whatever version. */
export const UUID_SHAPE = `${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}`;
/** A UUID of RFC 9562: of a version that there is, all zeros or all ones. */
export const UUID =
  `${HEX}{8}-${HEX}{4}-[1-8]${HEX}{3}-[89ABab]${HEX}{3}-${HEX}{12}` +
  '|0{8}-0{4}-0{4}-0{4}-0{12}|[Ff]{8}-[Ff]{4}-[Ff]{4}-[Ff]{4}-[Ff]{12}';

/** The rule for the id of a company where one that is none is refused. */
export const checkCompanyId = patternRule(UUID, 'must be the id of a company');
