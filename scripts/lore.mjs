// The command line from a clone: builds it, then runs it in the folder of the caller, not in the clone, to which npm changes.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import './build.mjs';

process.chdir(process.env.INIT_CWD ?? process.cwd());
const program = fileURLToPath(new URL('../bin/lore.cjs', import.meta.url));
// As if it had been started itself: lore install writes this path into settings.
process.argv[1] = program;
createRequire(import.meta.url)(program);
