// Reads a whole list, page by page, the way a client does.
import type { Message } from './judge.ts';

type Entry = { [key: string]: unknown };
type Request = (method: string, params?: object) => Promise<Message | undefined>;

const keyOf: Record<string, string> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};

export async function listAll(request: Request, method: keyof typeof keyOf & string): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: unknown;
  do {
    const answer = await request(method, cursor === undefined ? {} : { cursor });
    const result = answer?.result ?? {};
    entries.push(...(result[keyOf[method] as string] as Entry[]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return entries;
}
