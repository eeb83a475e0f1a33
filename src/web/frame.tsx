// What surrounds every view: navigation, search, the chosen project, the theme, and the shortcuts that work everywhere.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onKeys } from './core/keys.ts';
import { pending } from './core/port.ts';
import { followLinks, go, link, project, route } from './core/route.ts';
import { theme, themes } from './core/theme.ts';
import { useTool } from './core/use-tool.ts';
import { Dialogs } from './parts/dialog.tsx';
import { Palette, showPalette } from './parts/palette.tsx';
import { Toasts, undoLast } from './parts/toast.tsx';
import { Content } from './views/content.tsx';
import { findView, type View, views } from './views/index.ts';
import { Search } from './views/search.tsx';

const isMenuOpen = signal(false);

export function Frame({ onLeave }: { onLeave?: () => void }) {
  const view = findView(route.value.view);
  useEffect(
    () =>
      onKeys({
        'Ctrl+k': showPalette,
        '?': () => showPalette(),
        u: undoLast,
        ...Object.fromEntries(views.map(({ id, key }) => [`g ${key}`, () => go(link(id))])),
      }),
    [],
  );
  useEffect(() => {
    document.title = `${view.title} · Lorekeeper`;
    isMenuOpen.value = false;
  }, [view.id, route.value.id]);
  const before = useRef(view.id);
  useEffect(() => {
    // Screen readers continue in the new view, and the keyboard too; somebody who types goes on typing.
    const isTyping = document.activeElement?.matches('input[type=search]');
    if (before.current !== view.id && !isTyping) document.getElementById('main')?.focus();
    before.current = view.id;
  }, [view.id]);
  return (
    // biome-ignore lint/a11y: links inside handle the keyboard themselves.
    <div class={isMenuOpen.value ? 'frame menu-open' : 'frame'} onClick={followLinks}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation current={view} {...(onLeave && { onLeave })} />
      <div class="column">
        <header class="bar">
          <button
            type="button"
            class="menu"
            aria-expanded={isMenuOpen.value}
            aria-label="Menu"
            onClick={() => {
              isMenuOpen.value = !isMenuOpen.value;
            }}
          >
            ☰
          </button>
          <Search />
          <ProjectChoice />
          <button type="button" class="palette-button" onClick={showPalette} title="Commands (Ctrl K)">
            <span class="hidden">Commands</span>
            <kbd>Ctrl K</kbd>
          </button>
        </header>
        <main id="main" tabIndex={-1} aria-busy={pending.value > 0}>
          <Content />
        </main>
      </div>
      <Toasts />
      <Dialogs />
      <Palette />
    </div>
  );
}

function Navigation({ current, onLeave }: { current: View; onLeave?: () => void }) {
  const groups = [...new Set(views.map(({ group }) => group))];
  return (
    <nav aria-label="Views">
      <a class="brand" href={link('memories')}>
        Lorekeeper
      </a>
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {views
              .filter((view) => view.group === group)
              .map(({ id, title }) => (
                <li key={id}>
                  <a href={link(id)} aria-current={id === current.id ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <span class="gap" />
      <label class="theme">
        <span>Theme</span>
        <select
          value={theme.value}
          onChange={(event) => {
            theme.value = event.currentTarget.value as (typeof themes)[number];
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      {onLeave && (
        <button type="button" class="quiet" onClick={onLeave}>
          Sign out
        </button>
      )}
    </nav>
  );
}

/** The first view has its data by then. */
const idleMs = 400;

interface Projects {
  projects: { id: string; name: string; memories: number; current: boolean }[];
}

function ProjectChoice() {
  // The list counts memories, which takes longer than to show some; so it comes last.
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), idleMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useTool<Projects>('project_list', isIdle ? {} : undefined, () => false);
  const projects = data?.projects ?? [];
  const chosen = projects.find(({ current }) => current)?.id ?? project.value ?? '';
  if (projects.length === 0) return <span class="project" />;
  const isListed = projects.some(({ id }) => id === chosen);
  return (
    <select
      class="project"
      aria-label="Project"
      value={chosen}
      onChange={(event) => go(link(route.value.view, '', { project: event.currentTarget.value }))}
    >
      {/* A folder in which nothing has been stored yet. */}
      {!isListed && <option value={chosen}>{chosen.split(/[\\/]/).at(-1)}</option>}
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
