import { Interrupted } from "./command.ts";

/** One answer to choose. */
export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/**
 * The questions a command may ask. They are drawn on stderr, so that stdout stays clean for pipes. Each throws
 * `Interrupted` when the person presses Ctrl-C or Escape.
 */
export interface Prompts {
  select<T>(message: string, choices: readonly Choice<T>[], initial: T): Promise<T>;
  several<T>(message: string, choices: readonly Choice<T>[], initial: readonly T[]): Promise<T[]>;
  text(message: string, initial: string, placeholder: string): Promise<string>;
  confirm(message: string, initial: boolean): Promise<boolean>;
}

/** The prompts of the terminal; the library behind them is loaded only when a question is asked. */
export async function terminalPrompts(): Promise<Prompts> {
  const clack = await import("@clack/prompts");
  const output = process.stderr;
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (typeof answer === "symbol") throw new Interrupted("Stopped; nothing was changed.");
    return answer as Exclude<T, symbol>;
  };
  // The library's option type depends on T being a primitive, which it cannot see here; positions can.
  const indexed = <T>(choices: readonly Choice<T>[]) =>
    choices.map(({ label, hint }, index) => ({
      value: index,
      label,
      ...(hint === undefined ? {} : { hint }),
    }));
  const valueAt = <T>(choices: readonly Choice<T>[], indexes: readonly number[]): T[] =>
    indexes.flatMap((index) => choices.slice(index, index + 1).map((choice) => choice.value));
  return {
    async select(message, choices, initial) {
      const initialValue = Math.max(
        0,
        choices.findIndex((choice) => choice.value === initial),
      );
      const index = answered(
        await clack.select({ message, options: indexed(choices), initialValue, output }),
      );
      return valueAt(choices, [index])[0] ?? initial;
    },
    async several(message, choices, initial) {
      const initialValues = choices.flatMap((choice, index) =>
        initial.includes(choice.value) ? [index] : [],
      );
      const indexes = answered(
        await clack.multiselect({
          message,
          options: indexed(choices),
          initialValues,
          required: false,
          output,
        }),
      );
      return valueAt(choices, indexes);
    },
    async text(message, initial, placeholder) {
      return answered(await clack.text({ message, initialValue: initial, placeholder, output })) ?? "";
    },
    async confirm(message, initial) {
      return answered(await clack.confirm({ message, initialValue: initial, output }));
    },
  };
}
