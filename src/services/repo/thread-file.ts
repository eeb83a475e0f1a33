// Starts threads that read a project's files.
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { findThread } from '../../core/program-file.ts';
import { passOwnFiles } from '../../files/own.ts';

export function startThread(name: 'index' | 'parse' | 'scan', action: string, options: WorkerOptions): Worker {
  passOwnFiles();
  return new Worker(findThread(name, action), options);
}
