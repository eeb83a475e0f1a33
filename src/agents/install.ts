// Plans the changes of an installation to each file before anything is written, and applies them.
import { LoreError } from '../core/error.ts';
import type { SettingsPart } from './agent.ts';
import { type ConfigFile, deleteConfigFile, expectWritable, readConfigFile, writeConfigFile } from './config-file.ts';
import { isBlank, putPart, removePart, type Setup } from './part.ts';
import { hashBytes, type Receipts } from './receipt.ts';

export interface InstallStep {
  file: string;
  does: 'create' | 'change' | 'nothing' | 'restore' | 'delete';
  before: string;
  after: string;
  /** Backup of the original file, once applied. */
  backup?: string;
  carryOut(): void;
}

/** `holder` is the program and scope of the parts. */
export function planInstall(
  holder: string,
  parts: readonly SettingsPart[],
  setup: Setup,
  receipts: Receipts,
): InstallStep[] {
  return groupByFile(parts).map(([file, own]) => {
    const config = readConfigFile(file);
    return explain(config, () => planPut(holder, config, own, setup, receipts));
  });
}

function planPut(
  holder: string,
  config: ConfigFile,
  parts: SettingsPart[],
  setup: Setup,
  receipts: Receipts,
): InstallStep {
  const { file, target, exists, text } = config;
  const after = parts.reduce((next, part) => putPart(part, next, setup), text);
  if (after === text && exists) return idle(config);
  expectWritable(config);
  const receipt = receipts.read(target);
  const isAsWeLeftIt = receipt !== undefined && hashBytes(config.bytes) === receipt.after;
  // The original: from the receipt, or, if others have changed the file since, their text without our entries.
  const without = parts.reduce((next, part) => removePart(part, next), text);
  const base = isAsWeLeftIt ? receipt.before : without === text ? config.bytes : Buffer.from(without);
  const bytes = Buffer.from(after);
  return {
    file,
    does: exists ? 'change' : 'create',
    before: text,
    after,
    backup: receipts.backupOf(target),
    carryOut() {
      const record = {
        file,
        holders: [...new Set([...(receipt?.holders ?? []), holder])],
        existed: isAsWeLeftIt ? receipt.existed : exists,
        after: hashBytes(bytes),
      };
      // The receipt is written first: after a power failure in between, the change can still be undone.
      receipts.write(target, record, base);
      try {
        receipts.addFolders(writeConfigFile(config, bytes));
      } catch (error) {
        if (receipt) receipts.write(target, receipt, receipt.before);
        else receipts.drop(target);
        throw error;
      }
    },
  };
}

export function planUninstall(holder: string, parts: readonly SettingsPart[], receipts: Receipts): InstallStep[] {
  return groupByFile(parts).map(([file, own]) => {
    const config = readConfigFile(file);
    return explain(config, () => planRemoval(holder, config, own, receipts));
  });
}

function planRemoval(holder: string, config: ConfigFile, parts: SettingsPart[], receipts: Receipts): InstallStep {
  const { file, target, exists, text } = config;
  const receipt = receipts.read(target);
  const holders = receipt?.holders.filter((one) => one !== holder) ?? [];
  const isAsWeLeftIt = receipt !== undefined && hashBytes(config.bytes) === receipt.after;
  const forget = () => {
    deleteConfigFile(config);
    receipts.drop(target);
  };
  if (!exists) return { ...idle(config), carryOut: forget };
  if (receipt && isAsWeLeftIt && holders.length === 0) {
    expectWritable(config);
    return {
      file,
      does: receipt.existed ? 'restore' : 'delete',
      before: text,
      after: receipt.existed ? receipt.before.toString() : '',
      carryOut() {
        if (!receipt.existed) return forget();
        writeConfigFile(config, receipt.before);
        receipts.drop(target);
      },
    };
  }
  const after = parts.reduce((next, part) => removePart(part, next, receipt?.before.toString()), text);
  const isGone = receipt?.existed === false && holders.length === 0 && isBlank(after, parts);
  const finish = () => {
    if (!receipt || holders.length === 0) return receipts.drop(target);
    const left = isAsWeLeftIt ? hashBytes(Buffer.from(after)) : receipt.after;
    receipts.write(target, { ...receipt, holders, after: left }, receipt.before);
  };
  if (after === text && !isGone) return { ...idle(config), carryOut: finish };
  expectWritable(config);
  return {
    file,
    does: isGone ? 'delete' : 'change',
    before: text,
    after: isGone ? '' : after,
    carryOut() {
      if (isGone) deleteConfigFile(config);
      else writeConfigFile(config, Buffer.from(after));
      finish();
    },
  };
}

/** The text of each file if it contained only these parts. */
export function renderParts(parts: readonly SettingsPart[], setup: Setup): { file: string; text: string }[] {
  return groupByFile(parts).map(([file, own]) => ({
    file,
    text: own.reduce((next, part) => putPart(part, next, setup), ''),
  }));
}

/** The lines that differ, between the first and the last of them. */
export function describeChange({ before, after }: Pick<InstallStep, 'before' | 'after'>): string {
  const [old, next] = [splitLines(before), splitLines(after)];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const removed = old.slice(head, old.length - tail).map((line) => `- ${line}`);
  return [...removed, ...next.slice(head, next.length - tail).map((line) => `+ ${line}`)].join('\n');
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function idle({ file, text }: ConfigFile): InstallStep {
  return { file, does: 'nothing', before: text, after: text, carryOut() {} };
}

function groupByFile(parts: readonly SettingsPart[]): [file: string, parts: SettingsPart[]][] {
  const files = new Map<string, SettingsPart[]>();
  for (const part of parts) files.set(part.file, [...(files.get(part.file) ?? []), part]);
  return [...files];
}

/** Adds the name of the file to a parse error. */
function explain<T>({ file }: ConfigFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LoreError('invalid_input', `Cannot change "${file}": ${error.message}`, {
      hint: 'Fix it by hand; it was not changed.',
    });
  }
}
