// The frame of a view: its title, its filters, and its body; and the small pieces that all views use.
import type { ComponentChildren } from 'preact';

export function Page({
  title,
  note,
  actions,
  children,
  isWide = false,
}: {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  isWide?: boolean;
}) {
  return (
    <section class={isWide ? 'page wide' : 'page'} aria-label={title}>
      <header class="head">
        <h1>{title}</h1>
        {note !== undefined && <span class="dim">{note}</span>}
        <span class="gap" />
        {actions}
      </header>
      {children}
    </section>
  );
}

export function Badge({ children, tone }: { children: ComponentChildren; tone?: string | undefined }) {
  return <span class={`badge ${tone ?? ''}`}>{children}</span>;
}

/** One choice among a few, as a group of buttons. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  onChange(value: string): void;
}) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{label}</legend>
      {options.map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
