// Learning from the calls of mounted tools: a failure that was solved before reports how, and a search shows it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeMount } from '../../src/cli/mount-output.ts';
import type { LoreError } from '../../src/core/error.ts';
import { describeTool, MountLab } from '../support/mounts-lab.ts';

let lab: MountLab;
beforeEach(async () => {
  lab = new MountLab();
  lab.writeTools([describeTool('book', { inputSchema: { type: 'object' } })]);
  await lab.mount(['--tools', lab.toolsFile]);
  await lab.start();
});
afterEach(() => lab.close());

const book = (date: unknown, client: object) => lab.read('small_book', { date }, { client });
const fail = (date: unknown, client: object) =>
  book(date, client).then(
    () => expect.unreachable(),
    (error: LoreError) => error,
  );

describe('a failed call of a mounted tool', () => {
  it('reports what solved an equal one, in any later session', async () => {
    const first = {};
    expect((await fail('tomorrow', first)).advice).toEqual([]);
    await book('2026-01-02', first);
    const later = {};
    const { advice, message, details } = await fail('monday', later);
    expect(message).toBe('Cannot run "small_book": the tool reported an error');
    expect(details).toMatchObject({ response: 'Invalid date "monday": try again' });
    expect(advice).toEqual([{ id: 'book', text: 'the same call worked `date` as a date (YYYY-MM-DD), not one word' }]);
    const { structured } = await lab.call('tool_find', { names: ['small_book'] });
    expect(JSON.stringify(structured)).toContain('failed calls worked `date` as a date (YYYY-MM-DD)');
    expect(JSON.stringify(lab.gateway.store.get('small').lessons)).not.toMatch(/tomorrow|2026-01-02/);
    await book('2026-05-06', later);
    const printed: string[] = [];
    describeMount(lab.gateway, 'small', { json: false, print: (text: string) => printed.push(text) } as never);
    expect(printed.at(-1)).toMatch(/Failed calls worked:\nbook +helped 1, not 0 +`date` as a date/);
  });

  it('teaches nothing to another session, and nothing if another value alone differs', async () => {
    await fail('tomorrow', {});
    await book('2026-01-02', {});
    expect(lab.gateway.store.get('small').lessons ?? []).toEqual([]);
  });

  it('drops a lesson that does not help', async () => {
    const first = {};
    await fail('tomorrow', first);
    await book('2026-01-02', first);
    const stubborn = {};
    for (let at = 0; at < 3; at++) expect((await fail('never', stubborn)).advice).toHaveLength(1);
    expect((await fail('never', stubborn)).advice).toEqual([]);
    expect(lab.gateway.store.get('small').lessons).toEqual([]);
  });

  it('is matched with the remediations of the project', async () => {
    await lab.call('remediation_save', {
      error_msg: 'Invalid date "someday": try again',
      solution: 'Dates of the booking server are written year first.',
    });
    const { advice } = await fail('someday', {});
    expect(JSON.stringify(advice)).toContain('year first');
  });
});
