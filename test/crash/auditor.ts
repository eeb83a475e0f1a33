// Appends to the audit log as one of several processes: says so after each line that is on disk.
import { writeSync } from 'node:fs';
import { openAuditFile } from '../../src/store/audit/file.ts';

const [folder = '', name = '', count = '0', maxBytes = '0'] = process.argv.slice(2);
const audit = openAuditFile(folder, { maxBytes: Number(maxBytes), timeoutMs: 60_000 });
for (let number = 0; number < Number(count); number++) {
  await audit.append({ caller: name, folder: '/', tool: 't', outcome: 'ok', arguments: String(number) });
  writeSync(1, `${number}\n`);
}
await audit.close();
