// What each service is, in the order of services/index.ts: clients are greeted before the code of any is loaded.

import { head as context } from './context/head.ts';
import { head as forge } from './forge/head.ts';
import { head as gateway } from './gateway/head.ts';
import { head as journal } from './journal/head.ts';
import { head as memory } from './memory/head.ts';
import { head as repo } from './repo/head.ts';
import { head as server } from './server/head.ts';
import { eventlogHead, fsHead, regHead } from './system/head.ts';

export const heads = [memory, context, journal, repo, eventlogHead, fsHead, regHead, forge, gateway, server];
