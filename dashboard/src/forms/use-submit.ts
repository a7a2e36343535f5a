import { isPaydeskError, PaydeskConnectionError } from '@paydesk/client';
import { useRef, useState } from 'react';
import { AuthenticatorError } from '../api/authenticator.ts';
import { useLanguage } from '../i18n/language.ts';
import { ruleOf } from './field-rules.ts';
import type { messages } from './messages/en.ts';
import { useFormsText } from './text.ts';

type KnownCode = keyof (typeof messages)['codes'];

/** What the codes of the API mean on a page, where that differs from the texts of all forms. */
export type CodeTexts = Readonly<Record<string, string>>;

/** An action of the page refuses, with words for the person: about the whole form, or about one of its fields. */
export class FormError extends Error {
  override readonly name = 'FormError';
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

export type Failure = {
  /** Of the API; absent without an answer. */
  code?: string;
  /** The texts for the fields, by their names. */
  errors: Record<string, string>;
  /** What is wrong with the whole form; undefined if the fields say it. */
  message?: string;
  requestId?: string;
};

/**
 * Runs an action once at a time, and with the same idempotency key until it has an outcome: a double click or a retry after a lost answer
 * has one effect.
 *
 * @param action - throws what the client throws
 */
export function useSubmit<Input, Result>(
  action: (input: Input, options: { idempotencyKey: string }) => Promise<Result>,
  {
    onDone,
    onFailure,
    texts,
  }: { onDone?: (result: Result) => void; onFailure?: (failure: Failure) => void; texts?: CodeTexts } = {},
) {
  const failureOf = useFailure(texts);
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<Failure>({ errors: {} });
  const key = useRef<string | null>(null);
  const running = useRef(false);
  const submit = async (input: Input): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setIsPending(true);
    setFailure({ errors: {} });
    key.current ??= crypto.randomUUID();
    try {
      const result = await action(input, { idempotencyKey: key.current });
      key.current = null;
      onDone?.(result);
    } catch (error) {
      // Without an answer, the next try repeats the same request; after an answer it is a new one.
      if (!(error instanceof PaydeskConnectionError)) key.current = null;
      const told = failureOf(error);
      setFailure(told);
      onFailure?.(told);
    } finally {
      running.current = false;
      setIsPending(false);
    }
  };
  return { submit, isPending, ...failure, clear: () => setFailure({ errors: {} }) };
}

/** Returns how an error is told to a person: at its fields, or in a sentence. */
export function useFailure(texts: CodeTexts = {}): (error: unknown) => Failure {
  const t = useFormsText();
  const textOfField = useFieldText();
  const textOfCode = (code: string) => {
    const key = `codes.${code as KnownCode}` as const;
    return t.has(key) ? t(key) : undefined;
  };
  return (error) => {
    if (error instanceof PaydeskConnectionError) return { errors: {}, message: t('noAnswer') };
    if (error instanceof FormError)
      return error.field === undefined
        ? { errors: {}, message: error.message }
        : { errors: { [error.field]: error.message } };
    if (error instanceof AuthenticatorError) return { errors: {}, message: t('noPasskey') };
    if (!isPaydeskError(error)) throw error;
    const { code, status, details } = error;
    const errors = textsOfFields(details, textOfField);
    const failure = { code, errors, requestId: error.requestId ?? undefined };
    if (code === 'rate_limited')
      return { ...failure, message: t('tooMany', { seconds: error.retryAfterSeconds ?? 60 }) };
    if (status >= 500) return { ...failure, message: t('ours') };
    const text = texts[code] ?? textOfCode(code);
    if (text !== undefined) return { ...failure, errors: {}, message: text };
    return details.length > 0 ? failure : { ...failure, message: error.message };
  };
}

/** A field may break several rules. */
function textsOfFields(
  details: readonly { field: string; message: string }[],
  textOfField: (field: string, message: string) => string,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { field, message } of details) {
    const [known, text] = [errors[field], textOfField(field, message)];
    if (known !== text) errors[field] = known === undefined ? text : `${known}. ${text}`;
  }
  return errors;
}

/** The API writes English: what is often refused is told in the language of the page, and a password with the rules beside its field. */
function useFieldText(): (field: string, message: string) => string {
  const t = useFormsText();
  const language = useLanguage();
  return (field, message) => {
    if (language !== 'en' && field.endsWith('password')) return t('passwordRefused', { rules: t('passwordRules') });
    const known = ruleOf(message);
    if (known !== undefined) return t(`fields.${known.rule}`, known.values as never);
    return message.slice(0, 1).toUpperCase() + message.slice(1);
  };
}
