import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../platform/config/config.test-support.ts';

describe('the settings of the sandbox', () => {
  it('requires the sandbox gateway’s address and secret together, and the address as a URL', () => {
    const together = ['SANDBOX_GATEWAY_URL and SANDBOX_GATEWAY_SECRET must be set together'];
    expect(problemsOf({ SANDBOX_GATEWAY_URL: 'http://localhost:4010' })).toEqual(together);
    expect(problemsOf({ SANDBOX_GATEWAY_SECRET: 'sandbox' })).toEqual(together);
    for (const url of ['localhost:4010', 'sandbox', 'file:///etc/passwd']) {
      const problems = problemsOf({ SANDBOX_GATEWAY_URL: url, SANDBOX_GATEWAY_SECRET: 'sandbox' });
      expect(problems).toEqual(['SANDBOX_GATEWAY_URL must be a URL such as http://127.0.0.1:4010']);
    }
  });
});
