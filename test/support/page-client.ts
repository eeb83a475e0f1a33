// A client that shows pages, over HTTP.
import { initializeWith, post } from './http.ts';

const pages = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

export interface PageClient {
  request(method: string, params?: object): Promise<{ [member: string]: unknown }>;
}

export async function connectPageClient(url: string, extensions: object = pages): Promise<PageClient> {
  const headers = await initializeWith(url, { extensions });
  let id = 0;
  return {
    async request(method, params = {}) {
      const answer = await post(url, { jsonrpc: '2.0', id: ++id, method, params }, headers);
      const { result, error } = (await answer.json()) as { result?: { [member: string]: unknown }; error?: object };
      if (!result) throw new Error(JSON.stringify(error));
      return result;
    },
  };
}
