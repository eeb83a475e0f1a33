// The description of the gateway, for handshakes before its code is loaded.

export const head = {
  id: 'gateway',
  title: 'Gateway',
  summary:
    'call other MCP servers that the user mounted: tool_find finds their tools, tool_read and tool_write run them.',
};
