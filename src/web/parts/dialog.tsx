// A question that must be answered before something is deleted permanently, and the form in which a text is written.
import { computed, signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Question {
  title: string;
  text?: string;
  action: string;
  isDangerous?: boolean;
  /** With a text field, which starts with this. */
  draft?: string;
  /** With a list, of which one is chosen. */
  choices?: readonly (readonly [value: string, label: string])[];
  /** The word that must be typed. */
  word?: string;
  /** Why the answer given before was not accepted. */
  problem?: string;
  answer(text: string | undefined): void;
}

const question = signal<Question | undefined>(undefined);

/** Whether something is being written, which must not vanish. */
export const isAsking = computed(() => question.value !== undefined);

/** The text, or undefined if the person changed their mind. */
export function ask(asked: Omit<Question, 'answer'>): Promise<string | undefined> {
  return new Promise((answer) => {
    question.value = { ...asked, answer };
  });
}

export function Dialogs() {
  return question.value ? <QuestionDialog key={question.value.title} asked={question.value} /> : null;
}

function QuestionDialog({ asked }: { asked: Question }) {
  const { title, text, action, isDangerous, draft, choices, word, problem, answer } = asked;
  const dialog = useRef<HTMLDialogElement>(null);
  const [written, setWritten] = useState(draft ?? choices?.[0]?.[0] ?? '');
  useEffect(() => dialog.current?.showModal(), []);
  const end = (given: string | undefined) => {
    question.value = undefined;
    answer(given);
  };
  const isReady = word === undefined ? draft === undefined || written.trim() !== '' : written === word;
  const submit = () => isReady && end(written);
  return (
    <dialog ref={dialog} aria-labelledby="question" onCancel={() => end(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="question">{title}</h2>
        {text !== undefined && <p>{text}</p>}
        {draft !== undefined && (
          <textarea
            aria-label="Text"
            rows={10}
            value={written}
            onInput={(event) => setWritten(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
            }}
          />
        )}
        {choices !== undefined && (
          <select aria-label={title} value={written} onChange={(event) => setWritten(event.currentTarget.value)}>
            {choices.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
        {word !== undefined && (
          <label>
            Type <code>{word}</code> to confirm
            <input value={written} autocomplete="off" onInput={(event) => setWritten(event.currentTarget.value)} />
          </label>
        )}
        {problem !== undefined && (
          <p class="notice failed" role="alert">
            {problem}
          </p>
        )}
        <footer>
          <button type="button" onClick={() => end(undefined)}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={!isReady}>
            {action}
          </button>
        </footer>
      </form>
    </dialog>
  );
}
