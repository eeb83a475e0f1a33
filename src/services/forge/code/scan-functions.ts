// The functions of one file as tools. Their code is not run.
import { hashHex } from '../../../core/crypto.ts';
import type { JsonSchema } from '../../../core/schema.ts';
import type { FunctionTool } from './code-tool.ts';
import { findPythonFunctions } from './python.ts';
import { findScriptFunctions } from './script.ts';

export interface FoundFunction {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly isRequired: boolean; readonly schema: JsonSchema }[];
}

/** Node runs TypeScript by itself since 22.18. */
const runsTypescript = 'typescript' in process.features && Boolean(process.features.typescript);

export function canHaveFunctions(file: string): boolean {
  return /\.(?:py|mjs|cjs|js)$/.test(file) || (runsTypescript && /(?<!\.d)\.m?ts$/.test(file));
}

export async function listFunctions(file: string, bytes: Buffer): Promise<FunctionTool[]> {
  const text = bytes.toString('utf8');
  const isPython = file.endsWith('.py');
  const found = isPython
    ? await findPythonFunctions(text)
    : await findScriptFunctions(text, /ts$/.test(file) ? 'typescript' : 'javascript');
  const hash = hashHex(bytes);
  return found.map(({ name, summary, description, parameters }) => ({
    kind: 'function',
    language: isPython ? 'python' : 'javascript',
    file,
    hash,
    export: name,
    name,
    summary,
    description,
    // What it does cannot be known.
    effect: 'write',
    parameters: parameters.map((one) => one.name),
    schema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
      required: parameters.filter(({ isRequired }) => isRequired).map((one) => one.name),
      additionalProperties: false,
    },
  }));
}
