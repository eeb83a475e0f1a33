// reg_read and reg_write: settings of the machine. Both are off until a person allows them; a change shows the old value, asks
// for confirmation and can be undone.

import { askForm, type Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { runProgram } from '../../../core/program/program.ts';
import * as s from '../../../core/schema.ts';
import { showHidden } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import { identifyFolder } from '../../../graph/project/project.ts';
import type { SystemSettings } from '../settings.ts';
import { checkName, readAddress, type SettingsAddress } from './address.ts';
import { openDconf, openGsettings } from './gnome.ts';
import { openDefaults } from './mac.ts';
import { none, type Run, type SettingsStore, type SettingValue } from './settings-store.ts';
import { openWindows } from './windows.ts';

export interface RegistryToolSettings {
  /** Instead of running the platform's own programs. */
  run?: (call: Call) => Run;
}

const timeoutMs = 15_000;
const maxListed = 500;
const maxShown = 500;

const setting = s.object({ name: s.string(), type: s.string(), value: s.json() });
const path = s.string({
  min: 1,
  max: 4_096,
  description: String.raw`HKCU\…, gsettings:schema, dconf:/…/, defaults:domain`,
});

export function createRegistryTools(settings: SystemSettings, { run = runDirectly }: RegistryToolSettings = {}) {
  return [createReadTool(run), createWriteTool(settings, run)];
}

function createReadTool(run: (call: Call) => Run) {
  return defineTool({
    name: 'reg_read',
    title: 'Read settings',
    description: 'Read settings of this machine: Windows registry, gsettings or dconf, macOS defaults.',
    effect: 'read',
    examples: [
      ['lore reg read gsettings:org.gnome.desktop.interface', 'all settings of a schema'],
      ['lore reg read gsettings:org.gnome.desktop.interface --name clock-format', 'one setting'],
    ],
    allowed: 'off',
    audited: true,
    input: s.object({ path, name: s.optional(s.string({ max: 16_383, description: 'One setting; default: all' })) }),
    output: s.object({ path: s.string(), values: s.list(setting), keys: s.list(s.string()), more: s.boolean() }),
    async run({ path, name }, call) {
      const { store, address } = openSettings(path, run(call));
      if (name === undefined) {
        const { values, keys } = await store.list();
        const more = values.length > maxListed || keys.length > maxListed;
        return { path, values: values.slice(0, maxListed), keys: keys.slice(0, maxListed), more };
      }
      checkName(address, name);
      const found = await store.get(name);
      if (found) return { path, values: [found], keys: [], more: false };
      throw new LoreError('not_found', `Cannot read "${name}" of "${path}": it is not set`, {
        details: { path: 'arguments.name', expected: 'an existing setting', received: name },
      });
    },
    render: ({ values, keys, more }) =>
      [
        ...values.map((value) => `${value.name || '(without a name)'} = ${showValue(value)}`),
        ...keys.map((key) => `${showHidden(key)}/`),
        ...(more ? ['There are more; pass a name to read one.'] : []),
        ...(values.length + keys.length === 0 ? ['Nothing is set there.'] : []),
      ].join('\n'),
  });
}

const written = s.object({
  path: s.string(),
  name: s.string(),
  old: s.optional(setting),
  current: s.optional(setting),
  undo: s.object({ path: s.string(), name: s.string(), type: s.string(), value: s.optional(s.json()) }),
});

function createWriteTool(settings: SystemSettings, run: (call: Call) => Run) {
  return defineTool({
    name: 'reg_write',
    title: 'Change a setting',
    description:
      'Change one setting of this machine after its owner confirms. Call it with `undo` to restore the earlier value.',
    effect: 'destroy',
    examples: [
      [
        'lore reg write gsettings:org.gnome.desktop.interface clock-format s --value 24h',
        'change it, after a confirmation',
      ],
    ],
    idempotent: true,
    allowed: 'off',
    audited: ({ old, current }: s.Infer<typeof written>) => ({ old: old ?? null, current: current ?? null }),
    input: s.object({
      path,
      name: s.string({ max: 16_383 }),
      type: s.string({
        max: 40,
        description: `As in reg_read: REG_SZ, b, s, bool, …; ${none} removes the setting`,
      }),
      value: s.optional(s.json()),
    }),
    output: written,
    async run({ path, name, type, value }, call) {
      const { store, address } = openSettings(path, run(call));
      checkName(address, name);
      const old = await store.get(name);
      if (!settings.unconfirmedTools().includes('reg_write')) {
        await agree(call, { path, name, type, value }, old);
        await expectSame(store, path, name, old);
      }
      if (type === none) {
        if (old) await store.remove(name);
      } else await store.put(name, type, value);
      const current = await store.get(name);
      const undo = { path, name, ...(old ? { type: old.type, value: old.value } : { type: none }) };
      return { path, name, ...(old && { old }), ...(current && { current }), undo };
    },
    render: ({ path, name, old, current, undo }) =>
      `${name} of ${path}: ${showValue(old)} → ${showValue(current)}\nUndo: reg_write ${JSON.stringify(undo)}`,
  });
}

interface Change {
  path: string;
  name: string;
  type: string;
  value?: unknown;
}

/** No side effects before this: a client without a session repeats the call with the answer. */
async function agree(call: Call, { path, name, type, value }: Change, old: SettingValue | undefined): Promise<void> {
  if (!call.can('elicitation')) {
    throw new LoreError('forbidden', `Cannot change "${name}" of "${path}": the user cannot be asked`, {
      hint: 'This client cannot ask for confirmation. A person can allow it without: lore allow reg_write --level write --without-asking',
    });
  }
  const next = type === none ? 'not set' : showValue({ type, value });
  const question = [
    `Change a setting of this machine?`,
    `${showHidden(path)}  ${showHidden(name)}`,
    `now: ${showValue(old)}`,
    `then: ${next}`,
  ];
  const change = { type: 'boolean', title: 'Change it', default: false };
  const form = askForm(question.join('\n'), { type: 'object', properties: { change }, required: ['change'] });
  const { answer } = await call.ask({ answer: form });
  const { action, content } = answer as { action?: unknown; content?: { change?: unknown } };
  if (action === 'accept' && content?.change === true) return;
  throw new LoreError('forbidden', `Cannot change "${name}" of "${path}": the user declined`);
}

/** It may have changed while the user was asked. */
async function expectSame(
  store: SettingsStore,
  path: string,
  name: string,
  old: SettingValue | undefined,
): Promise<void> {
  if (JSON.stringify(await store.get(name)) === JSON.stringify(old)) return;
  throw new LoreError('conflict', `Cannot change "${name}" of "${path}": it was changed meanwhile`, {
    hint: 'Read it again.',
  });
}

function showValue(value: { type: string; value?: unknown } | undefined): string {
  if (!value) return 'not set';
  const text = JSON.stringify(value.value) ?? '';
  return `${showHidden(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)} (${showHidden(value.type)})`;
}

function openSettings(path: string, run: Run): { store: SettingsStore; address: SettingsAddress } {
  const address = readAddress(path);
  switch (address.kind) {
    case 'reg':
      return { address, store: openWindows(address, run) };
    case 'gsettings':
      return { address, store: openGsettings(address, run) };
    case 'dconf':
      return { address, store: openDconf(address, run) };
    case 'defaults':
      return { address, store: openDefaults(address, run) };
  }
}

/** Programs of the same name in the project are not run. */
function runDirectly(call: Call): Run {
  return (program, args, explain) =>
    runProgram({
      program,
      args,
      outside: [identifyFolder(call.caller.folder).root],
      signal: call.signal,
      timeoutMs,
      explain: (_, complaint) => explain?.(complaint),
    });
}
