// The description of the forge, for handshakes before its code is loaded.

export const head = {
  id: 'forge',
  title: 'Forge',
  summary: 'call the APIs that the user added: tool_find finds their tools, tool_read and tool_write run them.',
};
