// lore mount login
import type { Invocation } from '../core/command.ts';
import type { Gateway } from '../services/gateway/gateway.ts';
import type { MountState } from '../services/gateway/mount/store.ts';
import { createLoginPage } from './login-page.ts';

export async function logInToServer(gateway: Gateway, name: string, { options }: Invocation): Promise<MountState> {
  const { client: id, scopes, callback: port } = options as { [name: string]: string | undefined };
  const page = createLoginPage();
  try {
    return await gateway.logIn(name, {
      client: id === undefined ? undefined : { id },
      scopes: scopes?.split(/[\s,]+/).filter(Boolean),
      port: port === undefined ? undefined : Number(port),
      show: page.show,
      ...(page.pasted && { pasted: page.pasted }),
    });
  } finally {
    page.close();
  }
}
