// lore audit

import { existsSync } from 'node:fs';
import { loadConfig } from '../../config/load.ts';
import type { AuditLine } from '../../core/audit/chain.ts';
import type { Command, Output } from '../../core/command.ts';
import { LoreError } from '../../core/error.ts';
import { defaultLocation, folderBeside, isShared } from '../../core/location.ts';
import { hangText, inOneLine } from '../../core/text/terminal.ts';
import { createGraphAccess } from '../../graph/access.ts';
import { exitStatus } from '../exit-status.ts';

const usualCount = 20;

export const audit: Command = {
  name: 'audit',
  summary: 'Show the audit log of system tools and refused calls, or verify that it was not altered.',
  options: {
    last: { type: 'string', help: `Number of lines (default ${usualCount})`, value: 'number' },
    verify: {
      type: 'boolean',
      help: 'Verify every line; exit status 1 if one was changed, forged, moved or removed, 3 if the log is gone',
    },
  },
  examples: [
    ['lore audit', 'the newest lines'],
    ['lore audit --last 500 --json', 'as JSON, for scripts'],
    ['lore audit --verify', 'check that it was not altered'],
  ],
  async run({ options, output }) {
    const { values, file } = loadConfig();
    const folder = folderBeside(values.db);
    const { readLastLines, verifyAudit } = await import('../../core/audit/verify.ts');
    const { auditKeyFolders, readAuditKeys } = await import('../../core/audit/key.ts');
    const keys = await readAuditKeys(auditKeyFolders(file, folder));
    if (options.verify === true) {
      let unread: unknown;
      const recorded = await readRecord(values.db, folder).catch((error: unknown) => {
        unread = error;
        return undefined;
      });
      const report = await verifyAudit(folder, { keys, recorded });
      const isEmpty = report.lines === 0 && report.problems.length === 0 && !unread;
      if (output.json) output.printJson({ folder, ...report });
      else {
        for (const { file, line, problem } of report.problems) output.print(`${file}, line ${line}: ${problem}`);
        if (report.more) output.print('and more.');
        if (isEmpty) output.print(nothingLeft(keys.size > 0));
        else if (report.problems.length === 0 && !unread)
          output.print(`${report.lines} ${report.lines === 1 ? 'line' : 'lines'}, unaltered.`);
      }
      // The chain alone does not prove that nothing was deleted.
      if (unread) throw unread;
      if (isEmpty && keys.size > 0) return exitStatus.not_found;
      return report.problems.length === 0 ? 0 : 1;
    }
    const lines = await readLastLines(folder, readCount(options.last), keys);
    if (output.json) output.printJson(lines);
    else if (lines.length === 0) output.print('Nothing has been audited yet.');
    else for (const line of lines) output.print(describeLine(line, output));
    return 0;
  },
};

/** The end of the log that the database records, if there is a database. */
async function readRecord(db: string, folder: string) {
  const location = db || defaultLocation();
  if (!isShared(location) && !existsSync(location.replace(/^sqlite:(\/\/)?/, ''))) return undefined;
  const { nameAuditPlace, readAuditRecord } = await import('../../store/audit/record.ts');
  return createGraphAccess(location).query(({ store, machine }) =>
    readAuditRecord(store, nameAuditPlace(folder, machine)),
  );
}

/** The key is created for the first line. */
function nothingLeft(hasKey: boolean): string {
  return hasKey
    ? 'Nothing to verify: the log has no lines, but there is a key that lines were signed with. The log and its database may have been deleted.'
    : 'Nothing to verify: nothing has been audited yet.';
}

function readCount(given: unknown): number {
  if (given === undefined) return usualCount;
  const count = Number(given);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new LoreError('invalid_input', `Cannot show "${given}" lines: expected a number above 0`);
}

function describeLine(line: AuditLine, { bold, dim, style }: Output): string {
  const { seq, time, caller, tool, outcome, message, facts } = line;
  const head = `${seq}  ${time}  ${bold(inOneLine(outcome))}  ${inOneLine(tool)}  ${inOneLine(caller)}`;
  const rest = [line.arguments, message, facts === undefined ? undefined : JSON.stringify(facts)];
  const details = rest.filter((text) => text !== undefined && text !== '' && text !== '{}');
  const below = details.flatMap((text) => hangText('    ', inOneLine(text as string), style.width));
  return [head, ...below.map(dim)].join('\n');
}
