// The audit log as the app uses it. It is opened for the first line; its end is recorded in the database soon after each line
// and when the process stops.
import type { Audit, AuditEntry } from '../../core/audit/audit.ts';
import type { AuditHead } from '../../core/audit/chain.ts';
import { describeError, type Log } from '../../core/log.ts';
import type { Store } from '../store.ts';
import type { AuditFile } from './file.ts';

interface AuditLogOptions {
  folder: string;
  /** Folders for the key; the first usable one is taken. */
  keyFolders: readonly string[];
  /** Runs queries on the database. */
  query(work: (place: { store: Store; machine: string }) => Promise<boolean>): Promise<boolean>;
  log: Log;
}

export interface AuditLog extends Audit {
  close(): Promise<void>;
}

/** Delay of the record in the database, in ms; a killed process may leave it a few lines behind. */
const recordAfterMs = 1_000;
/** Longest wait for the database when the process stops, in ms. */
const closeMs = 1_500;

export function createAuditLog({ folder, keyFolders, query, log }: AuditLogOptions): AuditLog {
  let opening: Promise<AuditFile> | undefined;
  /** The end that is not yet recorded in the database. */
  let unrecorded: AuditHead | undefined;
  let timer: NodeJS.Timeout | undefined;
  let recording: Promise<void> = Promise.resolve();

  async function openFile(): Promise<AuditFile> {
    opening ??= import('./file.ts').then(({ openAuditFile }) => openAuditFile(folder, { keyFolders }));
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  async function record(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const head = unrecorded;
    if (!head) return;
    unrecorded = undefined;
    try {
      const { advanceAuditRecord, nameAuditPlace } = await import('./record.ts');
      const goesOn = await query(({ store, machine }) =>
        advanceAuditRecord(store, { folder, place: nameAuditPlace(folder, machine), head }),
      );
      if (goesOn) return;
      log.error('audit_log_altered', { folder, hint: 'lore audit --verify names the line' });
    } catch (error) {
      unrecorded ??= head;
      log.warn('audit_record_failed', describeError(error));
    }
  }

  function plan(): void {
    timer ??= setTimeout(() => {
      recording = recording.then(record);
    }, recordAfterMs).unref();
  }

  return {
    async append(entry: AuditEntry) {
      const file = await openFile();
      unrecorded = await file.append(entry);
      plan();
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
      let giveUp: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        giveUp = setTimeout(resolve, closeMs);
      });
      await Promise.race([recording.then(record), late]);
      clearTimeout(giveUp);
    },
  };
}
