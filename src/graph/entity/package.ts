// Finds packages by their notation in code: import statements, scopes, `name@version`.
import { isBuiltin } from 'node:module';
import type { EntityDraft } from './draft.ts';

type Ecosystem = 'npm' | 'pypi' | 'cargo';

const quotedFrom = /(?<![\w.])from\s{0,3}(['"])([^'"\s]{1,200})\1/g;
const quotedCall =
  /(?<![\w.])(?:import|require|require\.resolve|vi\.mock|jest\.mock)\s{0,2}\(\s{0,2}(['"`])([^'"`\s]{1,200})\1/g;
const quotedImport = /import\s{1,3}(['"])([^'"\s]{1,200})\1/g;
const pythonFrom = /from[ \t]{1,3}([A-Za-z_][\w.]{0,100})[ \t]{1,3}import[ \t]{1,3}[\w*(]/g;
const pythonAs = /import[ \t]{1,3}([A-Za-z_][\w.]{0,100})[ \t]{1,3}as[ \t]{1,3}\w/g;
const rustUse = /use[ \t]{1,3}([a-z_]\w{0,60})(?=(?:::[\w{}:*, ]{1,200})?;)/g;
/** Positions where a statement of code can begin; elsewhere these words are English. */
const lineStart = /(?:^|[\n`;])[ \t]*(?:>>> |pub )?$/;
const ownCrate = /^(?:std|core|alloc|crate|self|super|proc_macro)$/;
const scoped = /(?<![\w@./\\-])@([a-z0-9~][\w.~-]{0,100})\/([a-z0-9~_][\w.~-]{0,100})/g;
const atVersion = /(?<=\w)@([~^]?\d{1,5}(?:\.\d{1,5}){0,2}(?:-[A-Za-z][\w.-]{0,30})?)(?!\.?\w)/g;
const nameBefore = /(?<![\w@./\\:-])[a-z][\w.-]{0,99}$/;
const codeEnding = /\.(?:[cm]?[jt]sx?|json|css|scss|vue|svelte|md)$/;

export function findPackages(draft: EntityDraft): void {
  for (const pattern of [quotedFrom, quotedCall, quotedImport]) findQuoted(draft, pattern);
  for (const pattern of [pythonFrom, pythonAs]) {
    for (const match of draft.text.matchAll(pattern)) {
      if (beginsLine(draft.text, match.index)) claimModule(draft, match, normalisePackage(match[1] as string, 'pypi'));
    }
  }
  for (const match of draft.text.matchAll(rustUse)) {
    if (!beginsLine(draft.text, match.index)) continue;
    const written = match[1] as string;
    const end = match.index + match[0].length;
    const name = ownCrate.test(written) ? undefined : normalisePackage(written, 'cargo');
    // Not claimed: the rest is a path of names, which is a symbol.
    if (name) draft.add('package', name, end - written.length, end);
  }
  draft.settle();
  for (const match of draft.text.matchAll(scoped)) claimScoped(draft, match);
  draft.settle();
  for (const match of draft.text.matchAll(atVersion)) {
    const name = nameBefore.exec(draft.text.slice(Math.max(0, match.index - 101), match.index))?.[0];
    if (name && match[1]?.includes('.')) {
      draft.claim('package', name, match.index - name.length, match.index + match[0].length, name);
    }
  }
}

function findQuoted(draft: EntityDraft, pattern: RegExp): void {
  for (const match of draft.text.matchAll(pattern)) {
    const specifier = match[2] as string;
    if (pattern === quotedFrom && !isImport(draft.text, match.index)) continue;
    if (pattern === quotedImport && !beginsLine(draft.text, match.index)) continue;
    const name = normalisePackage(specifier, 'npm');
    if (!name) continue;
    const start = match.index + match[0].lastIndexOf(specifier);
    draft.claim('package', name, start, start + specifier.length);
  }
}

function beginsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  return lineStart.test(before) && (before.length < 40 || /[\n`;]/.test(before));
}

/** `from 'x'` may be English ("from 'draft' to 'done'"), unless a statement precedes it or it is in backticks. */
function isImport(text: string, at: number): boolean {
  if (text[at - 1] === '`') return true;
  const before = text.slice(Math.max(0, at - 300), at);
  const statement = before.slice(Math.max(...[';', "'", '"', '`'].map((mark) => before.lastIndexOf(mark))) + 1);
  return /\b(?:import|export)\b|\}\s*$/.test(statement);
}

function claimModule(draft: EntityDraft, match: RegExpExecArray, name: string | undefined): void {
  const written = match[1] as string;
  const start = match.index + match[0].indexOf(written, match[0].search(/[ \t]/));
  if (name) draft.claim('package', name, start, start + written.length);
}

function claimScoped(draft: EntityDraft, match: RegExpExecArray): void {
  const written = match[0].replace(/[.-]+$/, '');
  const end = match.index + written.length;
  const rest = /^(?:\/[\w.@/-]{1,200})?/.exec(draft.text.slice(end, end + 201))?.[0] ?? '';
  // `@app/main.ts` is a path with an alias.
  if (rest === '' && codeEnding.test(written)) return;
  const name = normalisePackage(written, 'npm');
  if (!name) return;
  const version = /^@[~^]?\d[\w.-]{0,40}/.exec(draft.text.slice(end, end + 60))?.[0];
  draft.claim('package', name, match.index, end);
  draft.hide(end, end + (version ?? rest).replace(/[.]+$/, '').length);
}

const npmName = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/;

/** The canonical name: without version, extra, sub-path and irrelevant case. */
function normalisePackage(specifier: string, ecosystem: Ecosystem): string | undefined {
  if (specifier.length > 214) return undefined;
  if (ecosystem === 'pypi') {
    const name = specifier.split(/[[=<>~!;.@]/, 1)[0] as string;
    return /^[A-Za-z][\w-]*$/.test(name) ? name.toLowerCase().replace(/[-_.]+/g, '-') : undefined;
  }
  if (ecosystem === 'cargo') return /^[A-Za-z][\w-]*$/.test(specifier) ? specifier.replaceAll('_', '-') : undefined;
  if (/^(?:[./#]|~\/|@\/)|^[a-z][a-z+-]*:\/\//.test(specifier)) return undefined;
  const plain = specifier.replace(/^(?:npm|jsr):/, '');
  if (isBuiltin(plain)) return plain.startsWith('node:') ? plain : `node:${plain}`;
  const [first = '', second = ''] = plain.split('/');
  const name = plain.startsWith('@') ? `${first}/${second}` : first;
  return npmName.test(name) && /[a-z]/i.test(name) ? name : undefined;
}
