// The shape of tools.mjs, for lorekeeper.ts, which is compiled strictly.
export interface Argument {
  type: 'string' | 'integer' | 'boolean';
  description: string;
}

export interface BenchTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, Argument>; required?: string[] };
  /** The text of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool knows its own arguments, which the schema has checked.
  run(args: any): string;
}

export const tools: BenchTool[];
export const bigLength: number;
