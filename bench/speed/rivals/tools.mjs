// The 40 tools every server of the speed bench exposes, declared once as plain data.
// Each framework wraps the same `inputSchema` and `run` in its own way; nothing else differs between the servers.

/** @typedef {import('./tools.d.mts').BenchTool} BenchTool */

const bigText = 'All work and no play makes a dull bench. '.repeat(26_000).slice(0, 1_048_576);

/** @type {BenchTool} */
const echo = {
  name: 'echo',
  description: 'Say a text back, once or several times.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to say back.' },
      times: { type: 'integer', description: 'How often to say it; once when left out.' },
    },
    required: ['text'],
  },
  run: (args) => (args.times === undefined ? args.text : args.text.repeat(args.times)),
};

/** @type {BenchTool} */
const big = {
  name: 'big',
  description: 'Answer with one megabyte of text.',
  inputSchema: { type: 'object', properties: {} },
  run: () => bigText,
};

/** @param {number} index @returns {BenchTool} */
function defineFiller(index) {
  const name = `tool_${String(index).padStart(2, '0')}`;
  return {
    name,
    description: `Look something up in drawer ${index} of the cabinet and tell what was found there.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'The words to look for, most important first.' },
        limit: { type: 'integer', description: 'The largest number of findings to answer with.' },
        verbose: { type: 'boolean', description: 'Whether to tell where each finding came from.' },
      },
      required: ['query'],
    },
    run: (args) => `${name} found nothing for ${args.query}`,
  };
}

/** @type {BenchTool[]} */
export const tools = [echo, big, ...Array.from({ length: 38 }, (_, index) => defineFiller(index))];

export const bigLength = bigText.length;
