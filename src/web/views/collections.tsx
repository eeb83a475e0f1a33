// Collections of documents, and passages in them.
import { filter, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { count, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { EntryText } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

interface Collections {
  collections: { collection_name: string; description: string; documents: number; chunks: number; ingested?: string }[];
}

interface Passages {
  chunks: { id: string; collection_name: string; title: string; text: string; source: string; line: number }[];
}

export function Collections() {
  const { q: query = '', in: name = '' } = route.value.params;
  const all = useTool<Collections>('collection_list', {});
  const found = useTool<Passages>(
    'collection_search',
    query === ''
      ? undefined
      : { query, limit: 20, budget_tokens: 20_000, rank: 'fast', ...(name !== '' && { collection_name: name }) },
  );
  return (
    <Page title="Collections">
      <div class="content">
        <Shown state={all}>
          {({ collections }) =>
            collections.length === 0 ? (
              <Empty title="No collection" command="lore collection ingest docs --path docs/">
                <p>
                  A collection is a set of documents that agents search by meaning: a manual, a specification, meeting
                  notes.
                </p>
              </Empty>
            ) : (
              <table>
                <thead>
                  <tr>
                    <th>Collection</th>
                    <th class="number">Documents</th>
                    <th class="number">Passages</th>
                    <th>Read</th>
                  </tr>
                </thead>
                <tbody>
                  {collections.map((one) => (
                    <tr key={one.collection_name}>
                      <td>
                        <button
                          type="button"
                          aria-pressed={one.collection_name === name}
                          onClick={() => filter({ in: one.collection_name === name ? undefined : one.collection_name })}
                        >
                          {one.collection_name}
                        </button>{' '}
                        <span class="dim">{one.description}</span>
                      </td>
                      <td class="number" data-label={one.documents === 1 ? 'document' : 'documents'}>
                        {one.documents}
                      </td>
                      <td class="number" data-label={one.chunks === 1 ? 'passage' : 'passages'}>
                        {one.chunks}
                      </td>
                      <td>{one.ingested !== undefined && <Time at={one.ingested} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Shown>
        {query === '' ? (
          <p class="dim">Type a question above to search {name === '' ? 'all of them' : name}.</p>
        ) : (
          <Shown state={found}>
            {({ chunks }) => (
              <section aria-label="Passages">
                <h3>{count(chunks.length, 'passage')}</h3>
                <ul class="cards">
                  {chunks.map((chunk) => (
                    <li key={chunk.id}>
                      <strong>{chunk.title}</strong>
                      <EntryText text={chunk.text} />
                      <span class="meta">
                        {chunk.collection_name} · {chunk.source}:{chunk.line}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </Shown>
        )}
      </div>
    </Page>
  );
}
