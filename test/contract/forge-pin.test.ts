// Pinned tools: real ones in the list, inside its budget, also when another process pins them.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlainCall, localCaller, personCaller } from '../../src/core/call.ts';
import { fromJsonSchema } from '../../src/core/foreign.ts';
import type { JsonSchema } from '../../src/core/schema.ts';
import { estimateTokens } from '../../src/core/text/budget.ts';
import { Lists } from '../../src/protocol/list.ts';
import { PinStore } from '../../src/services/forge/surface/pins.ts';
import { makeStrict } from '../../src/services/forge/surface/strict-schema.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

let lab: ForgeLab;
beforeEach(async () => {
  lab = await ForgeLab.open();
});
afterEach(async () => {
  await lab.close();
});

const pin = (mode: string, ...names: string[]) =>
  lab.app.registry.call('tool_pin', { mode, names }, createPlainCall(personCaller));
const listed = () => lab.app.registry.listedTools(localCaller, undefined);
const pinned = () => listed().filter(({ name }) => /^(?:shop|big)_/.test(name));
const nextChange = () =>
  new Promise<void>((resolve) => {
    const stop = lab.app.registry.onChange((change) => {
      if (!('list' in change) || change.list !== 'tools') return;
      stop();
      resolve();
    });
  });

describe('a tool that is listed anyway', () => {
  it('is run by tool_read, too, if it reads', async () => {
    expect(await lab.read('status')).toMatchObject({ kind: 'Lorekeeper', text: expect.stringContaining('Store') });
    await expect(lab.read('remember', { text: 'x' })).rejects.toThrow('it changes data');
  });
});

describe('a pinned tool', () => {
  it('is listed with its arguments and effect, and runs under its own name', async () => {
    await lab.add();
    expect(pinned()).toEqual([]);
    const changed = nextChange();
    await pin('pin', 'shop_get_pet', 'shop_add_pet');
    await changed;
    expect(pinned()).toMatchObject([
      { name: 'shop_add_pet', effect: 'write', input: { json: { required: ['body'] } } },
      { name: 'shop_get_pet', effect: 'read', description: 'Find a pet by its id (API shop)' },
    ]);
    lab.answer(200, { 'content-type': 'application/json' }, '{"id":7}');
    expect((await lab.call('shop_get_pet', { id: 7 })).structured).toMatchObject({ status: 200, data: { id: 7 } });
    expect(lab.lines).toEqual(['GET /v1/pets/7']);
    await expect(lab.call('shop_get_pet', {})).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(lab.call('shop_add_pet', { body: { name: 'Rex' } })).rejects.toMatchObject({ word: 'forbidden' });
  });

  it('is not listed if its source is off, and is refused to clients that pin', async () => {
    await lab.add();
    await pin('pin', 'shop_get_pet');
    await lab.restart({ shop: 'off' });
    expect(pinned()).toEqual([]);
    await expect(lab.call('tool_pin', { mode: 'pin', names: ['shop_get_pet'] })).rejects.toMatchObject({
      word: 'forbidden',
    });
    await expect(pin('pin', 'shop_nope')).rejects.toMatchObject({ word: 'not_found' });
    await expect(pin('unpin', 'shop_nope')).rejects.toMatchObject({ word: 'not_found' });
  });

  it('of a source of one project is listed only there', async () => {
    const project = join(lab.folder, 'shop');
    await lab.forge.add({ name: 'shop', from: lab.save(lab.pets()), isPerson: true, project });
    const changed = nextChange();
    const person = { ...personCaller, folder: project };
    await lab.app.registry.call('tool_pin', { mode: 'pin', names: ['shop_get_pet'] }, createPlainCall(person));
    await changed;
    const lists = new Lists(lab.app.registry, 1_000);
    const listIn = (folder: string) =>
      lists.page('tools', { revision: '2025-11-25', structured: false, caller: { ...localCaller, folder } }, undefined);
    expect(listIn(join(project, 'api'))).toContain('shop_get_pet');
    expect(listIn(join(lab.folder, 'shopping'))).not.toContain('shop_get_pet');
  });

  it('is announced when another process pins, follows its source, and goes with it', async () => {
    await lab.add();
    const other = new PinStore(join(lab.folder, 'forge'));
    const arrived = nextChange();
    await other.put({ name: 'shop_get_pet', source: 'shop', effect: 'read', description: 'Old', arguments: {} });
    await arrived;
    expect(pinned()).toMatchObject([{ description: 'Old' }]);
    const renewed = nextChange();
    lab.answer(200, {}, '{}');
    await lab.call('shop_get_pet', { id: 1 });
    await renewed;
    expect(pinned()).toMatchObject([{ description: 'Find a pet by its id (API shop)' }]);
    await lab.forge.remove('shop');
    const gone = nextChange();
    await pin('renew');
    await gone;
    expect(pinned()).toEqual([]);
  });

  it('is listed inside a budget, the most used first', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [
        `/p${at}`,
        { get: { operationId: `op${at}`, summary: `Operation ${at}` } },
      ]),
    );
    await lab.add(lab.pets({ paths }), 'big');
    const names = Array.from({ length: 15 }, (_, at) => `big_op${at}`);
    await pin('pin', ...names);
    expect(((await pin('list')).structured as { pinned: Json[] }).pinned.filter((one) => one.listed)).toHaveLength(12);
    expect(pinned().map(({ name }) => name)).not.toContain('big_op9');
    lab.answer(200, {}, '{}');
    await lab.call('tool_read', { name: 'big_op9' });
    await lab.restart();
    expect(pinned().map(({ name }) => name)).toContain('big_op9');
    expect(
      estimateTokens(JSON.stringify(pinned().map(({ input, description }) => [description, input.json]))),
    ).toBeLessThan(4_000);
  });
});

describe('the schema of a pinned tool', () => {
  const schema: JsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    anyOf: [{ required: ['$top'] }],
    properties: {
      $top: { type: 'integer' },
      'filter[a]': { $ref: '#/$defs/Tree', description: 'Only these' },
      top: { enum: [{ $ref: 'data' }] },
    },
    required: ['$top', 'missing'],
    additionalProperties: false,
    $defs: { Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } } } },
  };

  it('has an object at its root, plain names and no references', () => {
    const { json, originals } = makeStrict(schema);
    expect(json).toEqual({
      type: 'object',
      properties: {
        top: { type: 'integer' },
        filter_a: {
          type: 'object',
          description: 'Only these',
          properties: { children: { type: 'array', items: {} } },
        },
        top_2: { enum: [{ $ref: 'data' }] },
      },
      required: ['top'],
      additionalProperties: false,
    });
    expect([...originals]).toEqual([
      ['top', '$top'],
      ['filter_a', 'filter[a]'],
      ['top_2', 'top'],
    ]);
    fromJsonSchema(json).warm?.();
  });

  it('stays small for a type that refers to itself many times', () => {
    const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`p${at}`, { $ref: `#/$defs/T${at}` }]));
    const $defs = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`T${at}`, { type: 'object', properties: wide }]),
    );
    const { json } = makeStrict({ type: 'object', properties: wide, $defs });
    expect(JSON.stringify(json).length).toBeLessThan(50_000);
    expect(makeStrict({}).json).toEqual({ type: 'object', properties: {} });
  });
});
