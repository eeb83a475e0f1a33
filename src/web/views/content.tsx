// The view at the current address, in either shell.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { project, route } from '../core/route.ts';
import { Loading } from '../parts/state.tsx';
import { findView, type View } from './index.ts';

export function Content() {
  const view = findView(route.value.view);
  const [loaded, setLoaded] = useState<{ view: View; component: ComponentType }>();
  useEffect(() => {
    let isCurrent = true;
    void Promise.resolve(view.load()).then((component) => isCurrent && setLoaded({ view, component }));
    return () => {
      isCurrent = false;
    };
  }, [view]);
  if (loaded?.view !== view) return <Loading />;
  // With another project, nothing of the view remains.
  return <loaded.component key={`${view.id} ${project.value}`} />;
}
