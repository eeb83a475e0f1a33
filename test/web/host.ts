// A host of MCP Apps in a browser page: the official bridge, one sandboxed frame, and a record of every message.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const page = globalThis as unknown as {
  /** Of the test: calls the server as the host's client does. */
  callServer(params: object): Promise<{ content: [] }>;
  shown: { html: string; tool: string; input: Record<string, unknown>; result: { content: [] } };
  sent: unknown[];
  informed: unknown[];
  sizes: unknown[];
  bridge: AppBridge;
  document: { createElement(name: string): Frame; body: { append(frame: Frame): void } };
  addEventListener(name: string, listener: (event: { data: unknown; source: unknown }) => void): void;
};

interface Frame {
  setAttribute(name: string, value: string): void;
  srcdoc: string;
  contentWindow: never;
}

page.sent = [];
page.informed = [];
page.sizes = [];
const { html, tool, input, result } = page.shown;
const frame = page.document.createElement('iframe');
frame.setAttribute('sandbox', 'allow-scripts');
frame.setAttribute('width', '900');
frame.setAttribute('height', '480');
page.document.body.append(frame);
page.addEventListener('message', ({ data, source }) => source === frame.contentWindow && page.sent.push(data));

const toolInfo = { tool: { name: tool, inputSchema: { type: 'object' as const } } };
const bridge = new AppBridge(
  null,
  { name: 'host', version: '1' },
  { serverTools: {}, updateModelContext: { text: {} } },
  {
    hostContext: {
      theme: 'dark',
      displayMode: 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      // Not every host names the tool.
      ...(tool === 'recall' && { toolInfo }),
    },
  },
);
bridge.onrequestdisplaymode = async ({ mode }) => ({ mode });
bridge.oncalltool = (params) => page.callServer(params);
bridge.onupdatemodelcontext = async (params) => {
  page.informed.push(params);
  return {};
};
bridge.onsizechange = (size) => void page.sizes.push(size);
bridge.oninitialized = () => {
  void bridge.sendToolInput({ arguments: input });
  void bridge.sendToolResult(result);
};
page.bridge = bridge;
void bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = html;
