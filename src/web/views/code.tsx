// The map of a code base: folders by size, the most referenced files and their symbols, callers of a symbol, and search.

import { call } from '../core/port.ts';
import { link, route } from '../core/route.ts';
import { treemap } from '../core/treemap.ts';
import { useTool } from '../core/use-tool.ts';
import { count, Facts, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';
import { perform } from '../parts/toast.tsx';

interface RepoMap {
  repository: string;
  files: number;
  folders: { path: string; files: number }[];
  languages: Record<string, number>;
  map: { path: string; lines: number; about?: string; symbols: { name: string; signature: string; line: number }[] }[];
  left_out: number;
  index: unknown;
}

interface Place {
  name: string;
  path: string;
  line: number;
}

interface SymbolFacts {
  name: string;
  kind: string;
  path: string;
  start: number;
  end: number;
  signature: string;
  callers: Place[];
  callees: Place[];
  tests: string[];
  changed_with: string[];
  memories: { id: string; text: string }[];
}

interface Matches {
  files: { path: string; places: { start: number; text: string; symbol?: string }[] }[];
  total: number;
}

export function Code() {
  const { id, params } = route.value;
  const { q: query = '', path = '' } = params;
  if (id !== '') return <SymbolPage name={id} />;
  return (
    <Page title="Code" note={path === '' ? undefined : path} isWide>
      <div class="content">{query === '' ? <MapOf path={path} /> : <Results query={query} />}</div>
    </Page>
  );
}

function MapOf({ path }: { path: string }) {
  const state = useTool<RepoMap>('repo_map', { budget_tokens: 8_000, ...(path !== '' && { path }) });
  // One folder that holds everything, such as src, is no picture: its folders are.
  const [only, ...others] = state.data?.folders ?? [];
  const below = useTool<RepoMap>(
    'repo_map',
    only && others.length === 0 ? { budget_tokens: 500, path: only.path } : undefined,
  );
  if (path === '' && state.failure?.code === 'not_found') return <NotIndexed onBegun={state.reload} />;
  return (
    <Shown state={state}>
      {(map) =>
        map.files === 0 ? (
          <NotIndexed onBegun={state.reload} />
        ) : (
          <>
            <p class="dim">
              {count(map.files, 'file')}
              {Object.entries(map.languages)
                .slice(0, 6)
                .map(([name, files]) => ` · ${name} ${files}`)
                .join('')}
            </p>
            <Folders folders={below.data?.folders ?? map.folders} />
            <Files map={map} />
          </>
        )
      }
    </Shown>
  );
}

function NotIndexed({ onBegun }: { onBegun(): void }) {
  const index = () => perform('Indexing has begun.', () => call('index_repository', {})).then(onBegun);
  return (
    <Empty title="The code is not indexed yet" command="lore index repository">
      <p>With an index, agents find code by meaning, and memories know when the code they cite has changed.</p>
      <button type="button" class="primary" onClick={() => void index()}>
        Index this project
      </button>
    </Empty>
  );
}

function Folders({ folders }: { folders: RepoMap['folders'] }) {
  const largest = folders.slice(0, 40).sort((a, b) => b.files - a.files);
  const tiles = treemap(
    largest.map(({ files }) => files),
    100,
    28,
  );
  return (
    <figure>
      <div class="treemap" aria-hidden="true">
        {tiles.map(({ x, y, width, height }, at) => {
          const folder = largest[at];
          if (!folder) return null;
          const place = { left: `${x}%`, top: `${y / 0.28}%`, width: `${width}%`, height: `${height / 0.28}%` };
          return (
            <a
              key={folder.path}
              href={link('code', '', { path: folder.path })}
              tabIndex={-1}
              title={`${folder.path}: ${count(folder.files, 'file')}`}
              style={place}
            >
              <span>
                {folder.path}
                <small>{folder.files}</small>
              </span>
            </a>
          );
        })}
      </div>
      <details>
        <summary>Folders as a table</summary>
        <table>
          <thead>
            <tr>
              <th>Folder</th>
              <th class="number">Files</th>
            </tr>
          </thead>
          <tbody>
            {folders.map(({ path, files }) => (
              <tr key={path}>
                <td>
                  <a href={link('code', '', { path })}>{path}</a>
                </td>
                <td class="number">{files}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function Files({ map }: { map: RepoMap }) {
  return (
    <section aria-label="Most referenced files">
      <h3>Most referenced files</h3>
      <ul class="cards">
        {map.map.map((file) => (
          <li key={file.path}>
            <code>{file.path}</code> <span class="dim">{count(file.lines, 'line')}</span>
            {file.about !== undefined && <p class="dim">{oneLine(file.about, 200)}</p>}
            <ul class="plain">
              {file.symbols.map((symbol) => (
                <li key={`${symbol.name}${symbol.line}`} class="line">
                  <a href={link('code', symbol.name)}>
                    <code>{oneLine(symbol.signature, 140)}</code>
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {map.left_out > 0 && <p class="dim">{count(map.left_out, 'more file')} did not fit.</p>}
    </section>
  );
}

function Results({ query }: { query: string }) {
  const state = useTool<Matches>('search_code', { query, limit: 60, context: 1 });
  return (
    <Shown state={state}>
      {({ files, total }) => (
        <>
          <p class="dim">
            {count(total, 'match', 'matches')} in {count(files.length, 'file')}
          </p>
          <ul class="cards">
            {files.map(({ path, places }) => (
              <li key={path}>
                <code>{path}</code>
                {places.slice(0, 5).map((place) => (
                  <pre key={place.start}>
                    <code>{place.text.slice(0, 2_000)}</code>
                  </pre>
                ))}
              </li>
            ))}
          </ul>
        </>
      )}
    </Shown>
  );
}

function SymbolPage({ name }: { name: string }) {
  const state = useTool<SymbolFacts>('repo_symbol', { name });
  return (
    <Page title={name} actions={<a href={link('code')}>Map</a>}>
      <div class="content">
        <Shown state={state}>
          {(symbol) => (
            <>
              <pre>
                <code>{symbol.signature}</code>
              </pre>
              <Facts
                facts={[
                  ['Kind', symbol.kind],
                  ['Defined in', <code key="path">{`${symbol.path}:${symbol.start}`}</code>],
                  ['Tests', symbol.tests.join(', ')],
                  ['Changes with', symbol.changed_with.join(', ')],
                ]}
              />
              <Places title="Called by" places={symbol.callers} />
              <Places title="Calls" places={symbol.callees} />
              {symbol.memories.length > 0 && (
                <section>
                  <h3>Memories about it</h3>
                  <ul class="plain">
                    {symbol.memories.map(({ id, text }) => (
                      <li key={id}>
                        <a href={link('memories', id)}>{oneLine(text, 160)}</a>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          )}
        </Shown>
      </div>
    </Page>
  );
}

function Places({ title, places }: { title: string; places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="plain">
        {places.map(({ name, path, line }) => (
          <li key={`${path}${line}${name}`}>
            <a href={link('code', name)}>{name}</a>{' '}
            <code class="dim">
              {path}:{line}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
