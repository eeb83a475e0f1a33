// Only core/ runs the code of tools, resources, prompts, completions and skills. Commands that access the graph or a service
// directly are listed here with the reason.
import { describe, expect, it } from 'vitest';
import { importsOf, readSources } from '../support/source.ts';

const sources = readSources(/^src\/.*\.ts$/).filter(({ path }) => !path.endsWith('.test.ts'));

/** The lines that match, each with its file, so that a failure names them all. */
function find(pattern: RegExp, files: typeof sources): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );
}

const outside = sources.filter(({ path }) => !/^src\/(?:core|services)\//.test(path));

describe('entries', () => {
  it('are taken from services in core/ alone', () => {
    const taking = /\.(?:tools|resources|templates|prompts|routes)(?:\?\.)?\(\)|\.skills\b|\.offered\(/;
    expect(find(taking, outside)).toEqual([]);
  });

  it('are run where the door is', () => {
    const files = sources.filter(({ text }) =>
      /\b(?:tool|entry|source)\.(?:run|read|get|list|known|answer)\(/.test(text),
    );
    expect(files.map(({ path }) => path).filter((path) => !path.startsWith('src/services/'))).toEqual([
      'src/core/registry/entrance.ts',
      'src/core/registry/lookup.ts',
      'src/core/registry/project-argument.ts',
      'src/core/registry/skill-lookup.ts',
    ]);
  });

  it('enter by Registry.call, Registry.perform and the lookups, by nothing else', () => {
    expect(find(/registry\.enter\(/, outside)).toEqual([]);
    const closed = ['door.ts', 'entrance.ts', 'offer.ts'];
    const importing = outside.flatMap((source) =>
      importsOf(source)
        .filter((specifier) => closed.some((file) => specifier.endsWith(`core/registry/${file}`)))
        .map((specifier) => `${source.path} imports ${specifier}`),
    );
    expect(importing).toEqual([]);
  });
});

/** Commands that reach the graph, the store or the code of a service, and why that is no side door. */
const commands: Record<string, 'performs' | { reason: string }> = {
  import: 'performs',
  skill: 'performs',
  sync: 'performs',
  share: 'performs',
  embedding: 'performs',
  forge: 'performs',
  mount: 'performs',
  allow: { reason: 'names permissions and folders in the settings, and opens nothing' },
  audit: { reason: 'reads the audit log for the person, and its end from the database' },
  backup: { reason: 'copies the database for the person, who can read the file' },
  export: { reason: 'copies the database for the person, who can read the file' },
  migrate: { reason: 'copies between two databases that the person names, which the settings say nothing about' },
  reveal: { reason: 'answers the person alone, from a key that only they can read' },
  doctor: { reason: 'checks that the database can be read' },
  purge: { reason: 'follows the operation that the tool memory_purge began' },
  hook: { reason: 'identifies the project, to see whether learning is paused there' },
  pause: { reason: 'identifies the project, which the setting names' },
  open: { reason: 'checks whether the folder is a project, and opens nothing' },
};

/** Commands that change the person's settings: what the settings allow cannot be asked of the settings. */
const settingCommands = ['allow', 'config', 'pause', 'service', 'token'];

describe('commands', () => {
  const files = sources.filter(({ path }) => path.startsWith('src/cli/commands/'));
  const nameOf = (path: string) => path.slice('src/cli/commands/'.length, -'.ts'.length);

  it('that reach stored data go through the door, or have a reason not to', () => {
    const reaching = files.filter(
      (source) =>
        /\.(?:graph|folders)\b/.test(source.text) ||
        importsOf({ ...source, text: source.text.replace(/^import type [^;]*;$/gm, '') }).some((specifier) =>
          /\/(?:graph|services|store)\//.test(specifier),
        ),
    );
    expect(reaching.map(({ path }) => nameOf(path)).sort()).toEqual(Object.keys(commands).sort());
    for (const { path, text } of reaching) {
      if (commands[nameOf(path)] === 'performs') expect(text, path).toContain('registry.perform(');
    }
  });

  it('that change settings are known', () => {
    const changing = files.filter(({ text }) => /\bchangeSettings\(/.test(text));
    expect(changing.map(({ path }) => nameOf(path))).toEqual(settingCommands);
  });
});
