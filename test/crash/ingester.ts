// Opens the database of its first argument and does what waits to be ingested, until it is killed.
import { createGraphAccess } from '../../src/graph/access.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import { createJournalService } from '../../src/services/journal/service.ts';

const access = createGraphAccess(process.argv[2] as string);
createJournalService(access, createFolders(access));
await access.open();
setInterval(() => {}, 1_000_000);
