// Skills: procedures that worked, with how often they did.
import { link, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { Badge, count, Page } from '../parts/page.tsx';
import { Detail, Split } from '../parts/split.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { EntryText } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

interface SkillRow {
  name: string;
  description: string;
  version: string;
  saved: string;
  tags?: string[];
  uses: number;
  succeeded: number;
  failed: number;
}

export function Skills() {
  const { id, params } = route.value;
  const query = params.q ?? '';
  const state = useTool<{ skills: SkillRow[] }>(
    'skill_search',
    query === '' ? { mode: 'list', limit: 50 } : { query, limit: 20 },
  );
  const list = (
    <Page title="Skills">
      <div class="content">
        <Shown state={state}>
          {({ skills }) =>
            skills.length === 0 ? (
              <Empty title="No skill yet" command="lore skill import FOLDER">
                <p>
                  A skill is a procedure in Markdown that agents find by their task. Save one, or import a folder of
                  skills.
                </p>
              </Empty>
            ) : (
              <ul class="cards">
                {skills.map((skill) => (
                  <li key={skill.name}>
                    <a href={link('skills', skill.name, params)}>
                      <strong>{skill.name}</strong>
                    </a>
                    <p>{skill.description}</p>
                    <span class="meta">
                      <Badge>{skill.version}</Badge>
                      <span>
                        {count(skill.uses, 'use')}
                        {skill.uses > 0 && `, ${skill.succeeded} succeeded, ${skill.failed} failed`}
                      </span>
                      <Time at={skill.saved} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Shown>
      </div>
    </Page>
  );
  return <Split list={list}>{id !== '' && <SkillDetail name={id} />}</Split>;
}

function SkillDetail({ name }: { name: string }) {
  const state = useTool<{ content?: string; versions?: number }>('skill_search', { mode: 'get', name });
  return (
    <Detail label="Skill">
      <Shown state={state}>
        {({ content = '', versions = 1 }) => (
          <div class="body">
            <h2>{name}</h2>
            <EntryText text={content} />
            {versions > 1 && <p class="dim">{count(versions, 'version')}</p>}
          </div>
        )}
      </Shown>
    </Detail>
  );
}
