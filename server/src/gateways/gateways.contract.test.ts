import { describeGatewayContract } from './gateway/gateway.contract.ts';
import type { ContractSubject } from './gateway/gateway.testing.ts';
import { GATEWAYS } from './gateways.ts';

/** What `<name>.contract.ts` in a gateway's folder exports. */
type Subject = { makeSubject: () => Promise<ContractSubject> };

for (const gateway of GATEWAYS) {
  const { name } = gateway;
  describeGatewayContract(gateway, async () => {
    const { makeSubject }: Subject = await import(`./${name}/${name}.contract.ts`);
    return makeSubject();
  });
}
