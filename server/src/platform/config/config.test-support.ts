import { expect } from 'vitest';
import { GATEWAYS } from '../../gateways/gateways.ts';
import { ConfigError, readConfig } from './config.ts';

/** Returns the problems of an environment, as they are printed. */
export function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(GATEWAYS, environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [title, ...problems] = (error as Error).message.split('\n');
    expect(title).toBe('The configuration is invalid:');
    return problems.map((problem) => problem.replace(/^ {2}- /, ''));
  }
}
